import type { MetExpectation, Rehearsal, RehearsedCall } from "../../schema/rehearsal.ts";
import { decisionText } from "../job/event-line.ts";
import { safeText } from "../safe-text.ts";
import { callLine, resultLine } from "../session/tool-text.ts";

/** What a worker did, and how that compares with what was expected. */
export function report(rehearsal: Rehearsal): string {
  const { tools, files, artifacts, questions, decisions, result, error, expectations } = rehearsal;
  return [
    headOf(rehearsal),
    ...section("tools", tools.flatMap(callLines)),
    ...section("files", foldersOf(files)),
    ...section("artifacts", artifacts),
    ...section("questions", questions),
    ...section("decisions", decisions.map(decisionText)),
    ...section("error", error === null ? [] : [error]),
    ...section("result", result === null ? [] : [result.trimEnd()]),
    ...section("expected", expectations.map(judged)),
    conclusionOf(expectations, rehearsal.passed),
  ].join("\n");
}

function headOf({ member, status, isLate, durationMs, modelCalls }: Rehearsal): string {
  const how = isLate ? "did not come to an end in time, and was cancelled" : `ended: ${status}`;
  return `The job of ${member} ${how}. It took ${(durationMs / 1000).toFixed(1)} s and asked the model ${modelCalls} ${modelCalls === 1 ? "time" : "times"}.`;
}

const callLines = ({ name, input, result }: RehearsedCall): string[] => [
  callLine(name, input),
  ...(result?.isError === true ? [`  ${resultLine(name, { content: result.text, isError: true })}`] : []),
];

const mostOfFolder = 20;

/** A folder with many files, such as an agent's own notes, is told as one. */
function foldersOf(files: readonly string[]): string[] {
  const crowded = [...new Set(files.flatMap(foldersAbove))].filter(
    (folder) => files.filter((file) => file.startsWith(`${folder}/`)).length > mostOfFolder,
  );
  // The deepest: what lies beside it is told by name.
  const told = crowded.filter((folder) => !crowded.some((other) => other.startsWith(`${folder}/`)));
  const single = files.filter((file) => !told.some((folder) => file.startsWith(`${folder}/`)));
  const many = told.map((folder) => `${folder}/ (${files.filter((file) => file.startsWith(`${folder}/`)).length} files)`);
  return [...single, ...many].toSorted();
}

const foldersAbove = (file: string): string[] =>
  file.split("/").flatMap((_part, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join("/")]));

const judged = ({ key, expected, isMet, found }: MetExpectation): string =>
  `${isMet ? "ok  " : "FAIL"}  ${key}: ${expected}${isMet ? "" : `, but found was: ${shortened(found)}`}`;

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 299)}…` : text);

function conclusionOf(expectations: readonly MetExpectation[], passed: boolean): string {
  const missed = expectations.filter(({ isMet }) => !isMet).length;
  if (passed) return "The rehearsal went well.";
  return missed === 0
    ? "The rehearsal failed: it took too long."
    : `The rehearsal failed: ${missed} of ${expectations.length} expectations were not met.`;
}

/** Set in, so that nothing in it can pass for another section. */
function section(head: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [head, ...texts.flatMap((text) => safeText(text).split("\n")).map((line) => `  ${line}`.trimEnd())];
}
