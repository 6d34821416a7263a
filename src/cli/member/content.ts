import { constants, existsSync, statSync } from "node:fs";
import { access, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { sizeOf } from "../../schema/size.ts";
import type { ToolContent } from "../../schema/tool.ts";

/** The words of a piece of content; null for everything that is not words. */
export function textOf(content: ToolContent): string | null {
  if (content.type === "text") return content.text;
  return content.type === "resource" ? (content.resource.text ?? null) : null;
}

/** One line about what a terminal cannot show. */
export function describeContent(content: ToolContent): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
    case "audio":
      return `[${content.type}: ${content.mimeType}, ${size(content.data)}. Save it with --out <folder>]`;
    case "resource_link":
      return `[link: ${content.name}, ${content.uri}]`;
    case "resource":
      return `[file: ${content.resource.uri}, ${size(content.resource.blob ?? "")}. Save it with --out <folder>]`;
  }
}

/** Writes what is not words to a file, and answers where; null for what has no bytes here. */
export async function saveContent(content: ToolContent, folder: string, name: string): Promise<string | null> {
  const file = fileOf(content, name);
  return file === null ? null : saveBytes(Buffer.from(file.data, "base64"), folder, file.name);
}

/** A file directly in the folder, whatever it is called, and never over one that is there. Answers where it is. */
export async function saveBytes(bytes: Uint8Array, folder: string, called: string): Promise<string> {
  const name = plain(called) || "file";
  await mkdir(folder, { recursive: true });
  let path = resolve(folder, name);
  for (let count = 2; existsSync(path); count += 1) path = resolve(folder, `${count}-${name}`);
  await writeFile(path, bytes, { flag: "wx" });
  return path;
}

/** Asked before a call, whose answer would come too late to learn it. Makes nothing: there may be nothing to save. */
export async function mustBeWritable(folder: string): Promise<void> {
  let nearest = resolve(folder);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  if (!statSync(nearest).isDirectory()) throw new HallError("bad_request", `--out needs a folder, and ${nearest} is none.`);
  await access(nearest, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw new HallError("bad_request", `--out needs a folder that you may write to, and ${nearest} is none.`, { cause });
  });
}

function fileOf(content: ToolContent, name: string): { name: string; data: string } | null {
  if (content.type === "image" || content.type === "audio")
    return { name: `${plain(name)}${endingOf(content.mimeType)}`, data: content.data };
  if (content.type !== "resource" || content.resource.blob === undefined) return null;
  return { name: plain(basename(content.resource.uri)) || plain(name), data: content.resource.blob };
}

const endings: Record<string, string> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "image/svg+xml": ".svg",
  "audio/wav": ".wav",
  "audio/mpeg": ".mp3",
  "audio/ogg": ".ogg",
};

const endingOf = (mimeType: string): string => endings[mimeType] ?? ".bin";

/** A name of a file here and nothing else, whatever the member called it. */
const plain = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 100);

const size = (base64: string): string => sizeOf(Math.floor((base64.length * 3) / 4));
