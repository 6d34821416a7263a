import { LineCounter, isMap, isNode, isPair, isScalar, isSeq, parseDocument } from "yaml";
import type { Document, YAMLParseError } from "yaml";
import { Config } from "../../schema/config.ts";
import { dotted, explainIssues } from "../../schema/explain-issues.ts";
import { HallError } from "../../schema/hall-error.ts";
import { wellFormed } from "../../schema/well-formed.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { readWholeFile } from "./read-whole-file.ts";

/** Reads and never writes: the file is a person's. No file means every default; a broken one refuses, with all that is wrong at once. */
export async function readConfig(path: string): Promise<Config> {
  const text = await readText(path);
  return text === null ? Config.parse({}) : parseConfig(text, path);
}

export function parseConfig(text: string, path: string): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw brokenConfig(
      path,
      document.errors.map((error) => ({
        line: lines.linePos(error.pos[0]).line,
        path: "",
        message: yamlComplaint(error, text),
      })),
    );
  }
  const content = wellFormed(withoutEmptyValues(document.toJS()));
  const parsed = Config.safeParse(content);
  if (parsed.success) return parsed.data;
  const complaints = explainIssues(Config, content, parsed.error).map((issue) => ({
    line: lines.linePos(offsetOf(document, issue.path)).line,
    path: dotted(issue.path),
    message: issue.message,
  }));
  throw brokenConfig(
    path,
    complaints.toSorted((a, b) => a.line - b.line),
  );
}

const mostConfigBytes = 1024 * 1024;

async function readText(path: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readWholeFile(path, mostConfigBytes));
  } catch (cause) {
    const code = systemCode(cause);
    if (code === "ENOENT") return null;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new HallError("invalid_config", `${path} is not UTF-8 text. Save it as UTF-8.`, { cause });
    throw fileFailure(cause, path);
  }
}

type Complaint = { line: number; path: string; message: string };

function brokenConfig(path: string, complaints: readonly Complaint[]): HallError {
  const sentences = complaints.map(({ line, message }) => `${path} line ${line}: ${message}`);
  const issues = complaints.map((complaint) => ({ path: complaint.path, message: `line ${complaint.line}: ${complaint.message}` }));
  return new HallError("invalid_config", sentences.join("\n"), { details: { issues } });
}

function yamlComplaint({ code, message, pos }: YAMLParseError, text: string): string {
  if (code === "DUPLICATE_KEY") return `the key "${/^[^:\s]*/.exec(text.slice(pos[0]))?.[0] ?? ""}" is there twice; keep one of them`;
  if (code === "TAB_AS_INDENT") return "a tab is used to indent; YAML wants spaces";
  return `not valid YAML: ${message}`;
}

/** A group whose keys are all commented out reads as null; the person meant the defaults. */
function withoutEmptyValues(content: unknown): unknown {
  if (content === null) return {};
  if (typeof content !== "object" || Array.isArray(content)) return content;
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
}

/** Where the key of that path stands; what has no place of its own (a missing key) stands where its parent does. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step));
      if (pair === undefined) return offset;
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = isNode(node) ? (node.range?.[0] ?? offset) : offset;
    }
  }
  return offset;
}
