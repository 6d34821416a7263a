import { z } from "zod";
import type { WorkerResult } from "../../schema/job.ts";

/** A worker may send any amount, and lists and pages of jobs hold all that is read. These are more than the bundled worker sends. */
const mostEntries = 500;
const mostListCharacters = 500_000;
const mostPathCharacters = 2_000;
const mostConfigCharacters = 100_000;

/** Text that is cut, with a sentence that says so, if it is longer. */
export const textUpTo = (most: number) =>
  z
    .string()
    .transform((text) =>
      text.length <= most
        ? text
        : `${text.slice(0, most).toWellFormed()}\n\n[Cut here: it has ${figure(text.length)} characters, and at most ${figure(most)} are shown.]`,
    );

const mostEntryCharacters = 20_000;
const words = textUpTo(mostEntryCharacters);

export const boundedQuestions = z.array(words).transform((questions) => {
  const { kept, leftOut } = firstOf(questions, (question) => question.length);
  return leftOut === 0 ? kept : [...kept, leftOutSentence(leftOut, questions, "questions")];
});

export const boundedDecisions = z.array(z.object({ question: words, decision: words, reasoning: words })).transform((decisions) => {
  const { kept, leftOut } = firstOf(decisions, ({ question, decision, reasoning }) => question.length + decision.length + reasoning.length);
  if (leftOut === 0) return kept;
  return [...kept, { question: leftOutSentence(leftOut, decisions, "decisions"), decision: "", reasoning: "" }];
});

/** Callers fetch each artifact by its path, so the output says how many are missing. */
export function boundResult({ artifacts, ...result }: WorkerResult): WorkerResult {
  if (artifacts === null) return { ...result, artifacts };
  const { kept } = firstOf(
    artifacts.filter((path) => path.length <= mostPathCharacters),
    (path) => path.length,
  );
  const leftOut = artifacts.length - kept.length;
  if (leftOut === 0) return { ...result, artifacts };
  return { ...result, output: `${result.output}\n\n${leftOutSentence(leftOut, artifacts, "artifacts")}`, artifacts: kept };
}

/** Empty if it is too large. It belongs to programs, so it cannot hold a sentence. */
export const boundedConfig = z
  .record(z.string(), z.unknown())
  .transform((config) => (JSON.stringify(config).length <= mostConfigCharacters ? config : {}));

/** The first entries that fit together. */
function firstOf<Entry>(entries: readonly Entry[], sizeOf: (entry: Entry) => number): { kept: Entry[]; leftOut: number } {
  const kept: Entry[] = [];
  let size = 0;
  for (const entry of entries.slice(0, mostEntries)) {
    size += sizeOf(entry);
    if (size > mostListCharacters) break;
    kept.push(entry);
  }
  return { kept, leftOut: entries.length - kept.length };
}

const leftOutSentence = (count: number, all: readonly unknown[], what: string): string =>
  `[Left out: ${figure(count)} of ${figure(all.length)} ${what}. The hall shows at most ${mostEntries}, and fewer if they are long.]`;

const figure = (count: number): string => count.toLocaleString("en");
