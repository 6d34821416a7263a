import { isUtf8 } from "node:buffer";
import { basename, join } from "node:path";
import { explainIssues } from "../../../schema/explain-issues.ts";
import { Manifest } from "../../../schema/manifest.ts";
import { parseWellFormed } from "../../../schema/well-formed.ts";
import { isAboutThisProcess } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import { lineOfMistake } from "../json-mistake.ts";
import { readRegularFile } from "../../paths/read-regular-file.ts";
import { findPlaces } from "./json-places.ts";
import { shown } from "./shown-path.ts";

export const manifestName = "guild-member.json";

/** A problem names the file, the line where known, and what to fix; several are several lines. */
export type ReadManifest = { manifest: Manifest; problem: null } | { manifest: null; problem: string };

/** Far more than a person writes, and little enough to read at any time. */
const mostBytes = 256 * 1024;

/** The manifest of a member's folder; null where there is none. Problems name the file as `path`. */
export async function readManifest(folder: string, path = join(folder, manifestName)): Promise<ReadManifest | null> {
  try {
    const { bytes, problem } = await readRegularFile(join(folder, manifestName), mostBytes);
    if (bytes === null) return refused(path, [notReadable[problem]]);
    if (!isUtf8(bytes)) return refused(path, ["is not UTF-8 text. Save it as UTF-8."]);
    return parseManifest(bytes.toString("utf8"), path);
  } catch (error) {
    if (isAboutThisProcess(error)) throw error;
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return refused(path, [code === "EACCES" ? "cannot be read by this user. Run chmod u+r on it." : `cannot be read (${code}).`]);
  }
}

const noFile = "is not a file. Put a file of that name there.";

const notReadable = {
  link: "is a link. Put the file itself there; a link to the member's whole folder is fine.",
  folder: noFile,
  special: noFile,
  large: `has more than ${mostBytes / 1024} KiB. A manifest has a few lines: remove the rest.`,
};

export function parseManifest(text: string, path: string): ReadManifest {
  const json = text.replace(/^\uFEFF/, "");
  const document = parseJson(json);
  if ("line" in document) return refused(path, [`line ${document.line}: this is not JSON: ${document.message}`]);
  const places = findPlaces(json);
  if (places === null) return refused(path, ["is nested too deeply. Remove what does not belong into a manifest."]);
  const twice = places.repeated.map(({ key, line }) => ({ line, message: `the key "${key}" is there twice; keep one of them` }));
  const checked = Manifest.safeParse(document.value);
  const wrong = checked.success
    ? otherName(checked.data, path).map((message) => ({ line: places.lineOf(["name"]), message }))
    : explainIssues(Manifest, withoutValues(document.value), checked.error).map((issue) => ({
        line: places.lineOf(issue.path),
        message: places.has(issue.path) ? issue.message : issue.message.replace('" must be', '" is missing; it must be'),
      }));
  const complaints = [...twice, ...wrong].toSorted((a, b) => a.line - b.line);
  if (checked.success && complaints.length === 0) return { manifest: checked.data, problem: null };
  return refused(
    path,
    complaints.map(({ line, message }) => `line ${line}: ${message}`),
  );
}

/** More would not be read by anybody. */
const mostComplaints = 20;

function refused(path: string, complaints: readonly string[]): ReadManifest {
  if (complaints.length === 1) return { manifest: null, problem: shown(`${path} ${complaints[0]}`) };
  const told = complaints.slice(0, mostComplaints).map(shown);
  if (complaints.length > mostComplaints) told.push(`… and ${complaints.length - mostComplaints} more.`);
  return { manifest: null, problem: [shown(`${path} has ${complaints.length} mistakes:`), ...told].join("\n") };
}

function parseJson(text: string): { value: unknown } | { line: number; message: string } {
  try {
    return { value: parseWellFormed(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Node quotes a piece of the text, which may be a secret of the member's environment.
    const message = error.message.replace(/, (?:\.\.\.)?".*$/s, "").replace(/ in JSON at position.*$/s, "");
    return { line: lineOfMistake(text), message };
  }
}

/** The folder's name is what the hall goes by, so a second name could only mislead. */
function otherName({ name }: Manifest, path: string): string[] {
  const folder = basename(join(path, ".."));
  return name === folder ? [] : [`"name" is "${name}" while the folder is called "${folder}"; give both the same name`];
}

/** A value of a variable may be a secret, so no complaint quotes one. */
function withoutValues(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === "env" ? undefined : value)) ?? "null");
}
