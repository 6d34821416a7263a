import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Resource, TextResourceContents } from "@modelcontextprotocol/sdk/types.js";

const folder = import.meta.dirname;
const scheme = "example://files/";
const mimeTypes: Record<string, string> = { ".md": "text/markdown", ".json": "application/json", ".ts": "text/typescript" };

/** What this member is made of, as resources that can be read through it. */
export async function listOwnFiles(): Promise<Resource[]> {
  const names = (await Promise.all(["", "tools"].map(namesIn))).flat();
  return Promise.all(
    names.map(async (name) => ({
      uri: `${scheme}${name}`,
      name,
      mimeType: mimeTypeOf(name),
      size: (await stat(join(folder, name))).size,
    })),
  );
}

/** Only what the list has can be read, so no address leads out of the folder. */
export async function readOwnFile(uri: string): Promise<TextResourceContents> {
  const file = (await listOwnFiles()).find((one) => one.uri === uri);
  if (file === undefined) throw new Error(`There is no ${uri} here.`);
  return { uri, mimeType: mimeTypeOf(file.name), text: await readFile(join(folder, file.name), "utf8") };
}

async function namesIn(part: string): Promise<string[]> {
  const entries = await readdir(join(folder, part), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extname(entry.name) in mimeTypes)
    .map((entry) => join(part, entry.name))
    .toSorted();
}

const mimeTypeOf = (name: string): string => mimeTypes[extname(name)] ?? "text/plain";
