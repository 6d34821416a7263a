import { readFileSync } from "node:fs";
import { z } from "zod";

/** The manifest lies two folders up from here, in the checkout and in the package alike. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return z.object({ version: z.string() }).parse(manifest).version;
}
