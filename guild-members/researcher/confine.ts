import { lstat, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expandBraces } from "./expand-braces.ts";

/** `input` is what the tool gets in place of what the model wrote: a path that was checked, with no link left to follow. */
export type Verdict = { allowed: true; input: Record<string, unknown> } | { allowed: false; reason: string };

export type Reach = {
  /** Where relative paths begin. */
  start: string;
  /** Folders that may be read, each with all that is in it. */
  open: readonly string[];
  /** Folders inside of them that may not. */
  closed: readonly string[];
};

export type FileTool = "Read" | "Grep" | "Glob";

/** Judges a call of one of the SDK's own tools for files, which would by themselves read the whole disk. */
export async function confine(tool: FileTool, input: Record<string, unknown>, reach: Reach): Promise<Verdict> {
  switch (tool) {
    case "Read":
      return withPath(input, "file_path", await find(textOf(input["file_path"]), reach));
    case "Grep": {
      const problem = problemOf(textOf(input["glob"]));
      return problem === null ? withPath(input, "path", await find(textOf(input["path"]) || ".", reach)) : refuse(problem);
    }
    case "Glob": {
      const pattern = textOf(input["pattern"]);
      const problem = pattern === "" ? "The pattern is empty." : problemOf(pattern);
      if (problem !== null) return refuse(problem);
      // The tool takes the folders a pattern names outright as the place to begin, links among them; so they are resolved.
      const { named, rest } = split(pattern);
      return withPath({ ...input, pattern: rest }, "path", await find(join(textOf(input["path"]) || ".", named), reach));
    }
  }
}

type Found = { path: string } | { reason: string };

async function find(wanted: string, reach: Reach): Promise<Found> {
  const problem = problemOfPath(wanted);
  if (problem !== null) return { reason: problem };
  const start = await realpath(reach.start);
  const open = await Promise.all(reach.open.map(realOf));
  const closed = await Promise.all(reach.closed.map(realOf));
  const isOpen = (path: string) => open.some((folder) => holds(folder, path)) && !closed.some((folder) => holds(folder, path));

  const path = await realOf(resolve(start, wanted));
  // Before anything else: whether something exists out there is nothing the model should learn either.
  if (!isOpen(path)) return { reason: `"${wanted}" is out of reach. You can read in ${reach.open.join(" and ")}.` };
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return { reason: `"${wanted}" does not exist.` };
  return stats.isFile() || stats.isDirectory() ? { path } : { reason: `"${wanted}" is neither a file nor a folder.` };
}

/** The tools trim, normalise and expand `~` themselves, so a path that would change that way is refused. */
function problemOfPath(path: string): string | null {
  if (path === "") return "The path is empty.";
  if (path.length > longest) return `The path is longer than ${longest} characters.`;
  if (/[\u0000-\u001f\u007f]/.test(path)) return "The path contains a control character.";
  if (path.startsWith("~")) return `"${path}" begins with ~, which stands for nothing here.`;
  if (path !== path.trim() || path !== path.normalize("NFC")) {
    return `"${path}" begins or ends with white space, or is not in Unicode's composed form.`;
  }
  return null;
}

/** A pattern matches below a folder: it may not climb, nor start anew at a root, and neither may anything its braces stand for. */
function problemOf(pattern: string): string | null {
  if (pattern.length > longest) return `The pattern is longer than ${longest} characters.`;
  if (/[\u0000-\u001f\u007f\\]/.test(pattern)) return "The pattern contains a control character or a backslash.";
  const meant = expandBraces(pattern);
  if (meant === null) return `The pattern "${pattern}" has braces that do not pair up, or stand for too much. Write a simpler one.`;
  if (meant.some((one) => /^[!\s]*[/~]/.test(one)))
    return `The pattern "${pattern}" begins at a root. Give the folder as path, and a relative pattern.`;
  if (meant.some((one) => one.split(/[/!]/).some((part) => part.trim() === ".."))) return `The pattern "${pattern}" leads out with "..".`;
  return null;
}

const longest = 4_096;

function split(pattern: string): { named: string; rest: string } {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[\]{}()!+@|]/.test(part));
  const count = wild === -1 ? parts.length - 1 : wild;
  return { named: parts.slice(0, count).join("/") || ".", rest: parts.slice(count).join("/") || "*" };
}

/** The real path of what is there of it, with the rest as it stands. */
async function realOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realOf(dirname(path)), relative(dirname(path), path));
}

function holds(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`));
}

const withPath = (input: Record<string, unknown>, key: string, found: Found): Verdict =>
  "path" in found ? { allowed: true, input: { ...input, [key]: found.path } } : refuse(found.reason);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const refuse = (reason: string): Verdict => ({ allowed: false, reason });
