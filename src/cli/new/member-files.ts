import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { MemberName } from "../../schema/ids.ts";
import type { Manifest } from "../../schema/manifest.ts";

/** The project's own folder lies as far up from here in the checkout as in the package. */
export const project = join(import.meta.dirname, "../../..");

/** Every file of a new member by its name: the template, and what depends on the member's name. */
export async function memberFiles(name: MemberName): Promise<Record<string, string>> {
  const displayName = displayNameFrom(name);
  const manifest: Manifest = {
    name,
    displayName,
    description: "Greets people. Say here what it is really for.",
    version: "0.1.0",
    transport: "stdio",
    mcp: { command: "node", args: ["server.ts"], env: {} },
    capabilities: [],
  };
  return {
    ...(await readTemplate({ name, displayName })),
    "package.json": asText({
      name,
      version: manifest.version,
      private: true,
      type: "module",
      scripts: { test: "node --test" },
      dependencies: await versionsOf(["@modelcontextprotocol/sdk", "zod"]),
    }),
    "guild-member.json": asText(manifest),
  };
}

export const displayNameFrom = (name: MemberName): string =>
  name
    .split("-")
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

async function readTemplate(words: Record<string, string>): Promise<Record<string, string>> {
  const folder = join(project, "templates/member");
  const names = await readdir(folder);
  const files = names.map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    return [name, text.replaceAll(/\{\{(\w+)\}\}/g, (whole, word: string) => words[word] ?? whole)] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

export const asText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** As the hall itself has them, so that the member meets the same code here and elsewhere. */
export async function versionsOf(packages: readonly string[]): Promise<Record<string, string>> {
  const own: unknown = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  const { dependencies } = z.object({ dependencies: z.record(z.string(), z.string()) }).parse(own);
  return Object.fromEntries(packages.map((name) => [name, `^${dependencies[name] ?? "0"}`]));
}
