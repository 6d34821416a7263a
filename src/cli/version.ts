import { readFileSync } from "node:fs";

/** The manifest lies two folders up from here, in the checkout and in the package alike. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  // Read by hand: a schema library takes longer to load than everything else that `--version` needs.
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) return String(manifest.version);
  throw new Error("package.json names no version");
}
