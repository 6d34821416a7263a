import { join } from "node:path";
import { z } from "zod";
import type { AgentRun } from "../../core/agent/agent-run.ts";
import type { BuiltInTool } from "../../schema/agent-profile.ts";
import type { ChildEnvironment } from "./child-environment.ts";
import { expandBraces } from "./expand-braces.ts";
import { findReach, resolveExisting, resolveWritable } from "./resolve-path.ts";
import type { Reach } from "./resolve-path.ts";
import { refusePrivateAddress } from "./web-address.ts";

/** `input` replaces what the model wrote: the tool gets the path that was checked, already resolved, and nothing is left to follow. */
export type Verdict = { allowed: true; input: Record<string, unknown> } | { allowed: false; reason: string };

export type Confine = (tool: string, input: unknown) => Promise<Verdict>;

type Reaches = { read: Reach; write: Reach };

/** Judges the calls of the SDK's own tools. A tool that was not offered is refused whatever it asks for. */
export function createConfinement(folders: AgentRun["folders"], offered: readonly BuiltInTool[], env: ChildEnvironment = {}): Confine {
  return async (tool, input) => {
    const known = offered.find((name) => name === tool);
    if (known === undefined) return refuse(`${tool} is not a tool of this run.`);
    const fields = z.record(z.string(), z.unknown()).safeParse(input);
    if (!fields.success) return refuse(`The input of ${tool} is not an object.`);
    // Looked up at each call: a folder may have been replaced by a link since the last one.
    const reaches: Reaches = {
      read: await findReach(folders.cwd, [...folders.read, ...folders.write]),
      write: await findReach(folders.cwd, folders.write),
    };
    return judges[known](fields.data, reaches, env);
  };
}

type Judge = (input: Record<string, unknown>, reaches: Reaches, env: ChildEnvironment) => Promise<Verdict>;

const judges: Record<BuiltInTool, Judge> = {
  Read: (input, { read }) => judgeRead(input, read),
  Grep: (input, { read }) => judgeGrep(input, read),
  Glob: (input, { read }) => judgeGlob(input, read),
  Write: (input, { write }) => judgeWrite(input, write),
  Edit: (input, { write }) => judgeWrite(input, write),
  WebSearch: (input) => Promise.resolve({ allowed: true, input }),
  WebFetch: (input, _reaches, env) => judgeFetch(input, env),
};

async function judgeRead(input: Record<string, unknown>, reach: Reach): Promise<Verdict> {
  const resolved = await resolveExisting(textOf(input["file_path"]), reach);
  if (!resolved.ok) return refuse(resolved.reason);
  if (resolved.kind !== "file") return refuse(`"${textOf(input["file_path"])}" is a folder. Use Glob to list it.`);
  return { allowed: true, input: { ...input, file_path: resolved.path } };
}

async function judgeWrite(input: Record<string, unknown>, reach: Reach): Promise<Verdict> {
  const resolved = await resolveWritable(textOf(input["file_path"]), reach);
  if (!resolved.ok) return refuse(resolved.reason);
  if (resolved.kind === "folder") return refuse(`"${textOf(input["file_path"])}" is a folder.`);
  return { allowed: true, input: { ...input, file_path: resolved.path } };
}

async function judgeGrep(input: Record<string, unknown>, reach: Reach): Promise<Verdict> {
  const glob = textOf(input["glob"]);
  const problem = glob === "" ? null : problemOfPattern(glob);
  if (problem !== null || glob.startsWith("/")) return refuse(problem ?? `The glob "${glob}" must be relative.`);
  const root = await resolveExisting(searchRoot(input, reach), reach);
  if (!root.ok) return refuse(root.reason);
  return { allowed: true, input: { ...input, path: root.path } };
}

async function judgeGlob(input: Record<string, unknown>, reach: Reach): Promise<Verdict> {
  const pattern = textOf(input["pattern"]);
  const problem = problemOfPattern(pattern);
  if (problem !== null) return refuse(problem);
  const { folder, rest } = splitPattern(pattern);
  const start = pattern.startsWith("/") ? folder : join(searchRoot(input, reach), folder);
  const root = await resolveExisting(start, reach);
  if (!root.ok) return refuse(root.reason);
  return { allowed: true, input: { ...input, path: root.path, pattern: rest } };
}

const searchRoot = (input: Record<string, unknown>, reach: Reach): string => textOf(input["path"]) || reach.cwd;

/** A pattern may not climb, and nothing that its braces stand for may climb or start anew at the root. */
function problemOfPattern(pattern: string): string | null {
  if (pattern === "") return "The pattern is empty.";
  if (pattern.length > 4_096) return "The pattern is longer than 4096 characters.";
  if (/[\u0000-\u001f\u007f]/.test(pattern) || pattern !== pattern.trim()) {
    return "The pattern contains a control character, or begins or ends with white space.";
  }
  const meant = expandBraces(pattern);
  if (meant === null) return `The pattern "${pattern}" has braces that do not pair up, or that stand for too much.`;
  // The folders that a pattern names outright from the root are looked at by whoever begins there.
  const root = pattern.startsWith("/") ? /^[!\s]*~/ : /^[!\s]*[/~]/;
  if (meant.some((one) => root.test(one))) return `The pattern "${pattern}" starts anew at a root.`;
  if (meant.some((one) => one.split(/[/\\!]/).some((part) => part.trim() === ".."))) return `The pattern "${pattern}" leads out with "..".`;
  return null;
}

/** The folders a pattern names outright, and what is left to match below them. */
function splitPattern(pattern: string): { folder: string; rest: string } {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  const named = wild === -1 ? parts.length - 1 : wild;
  return { folder: parts.slice(0, named).join("/") || (pattern.startsWith("/") ? "/" : "."), rest: parts.slice(named).join("/") || "*" };
}

async function judgeFetch(input: Record<string, unknown>, env: ChildEnvironment): Promise<Verdict> {
  const reason = await refusePrivateAddress(textOf(input["url"]), env);
  return reason === null ? { allowed: true, input } : refuse(reason);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const refuse = (reason: string): Verdict => ({ allowed: false, reason });
