import type { JobDecision, JobStatus } from "../schema/job.ts";
import type { MetExpectation } from "../schema/rehearsal.ts";
import type { Expectations } from "./expectations.ts";
import { contains, matchesWildcard } from "./match-condition.ts";

/** What a worker did, as far as a script can expect something of it. */
export type Performance = {
  status: JobStatus;
  toolsCalled: readonly string[];
  artifacts: readonly string[];
  files: readonly string[];
  result: string | null;
  error: string | null;
  questions: readonly string[];
  decisions: readonly JobDecision[];
};

/** Every single expectation, and whether it was met. Without any, the job has to be completed. */
export function judgeExpectations(expectations: Expectations, performance: Performance): MetExpectation[] {
  const { status = "completed", ...others } = expectations;
  // The keys of the expectations are those of the table, which the type of the table says and Object.keys forgets.
  const keys = Object.keys(judges) as (keyof typeof others)[];
  return [
    { key: "status", expected: status, isMet: performance.status === status, found: performance.status },
    ...keys.flatMap((key) => {
      const expected = others[key];
      return expected === undefined ? [] : judgeAll(key, listOf(expected), judges[key](performance));
    }),
  ];
}

type Judge = {
  /** What there is of the kind that is spoken of. */
  found: readonly string[];
  fits: (one: string, expected: string) => boolean;
  /** True where none may fit. */
  isForbidden?: boolean;
};

const isTool = (name: string, expected: string): boolean => name === expected || name.endsWith(`__${expected}`);

/** Results name them below the folder of the job, and agents below that of the artifacts. */
const isArtifact = (path: string, expected: string): boolean =>
  matchesWildcard(path, expected) || matchesWildcard(path.replace(/^artifacts\//, ""), expected);

const judges: Record<Exclude<keyof Expectations, "status">, (performance: Performance) => Judge> = {
  toolsCalled: ({ toolsCalled }) => ({ found: [...new Set(toolsCalled)], fits: isTool }),
  toolsNotCalled: ({ toolsCalled }) => ({ found: [...new Set(toolsCalled)], fits: isTool, isForbidden: true }),
  artifacts: ({ artifacts }) => ({ found: artifacts, fits: isArtifact }),
  files: ({ files }) => ({ found: files, fits: matchesWildcard }),
  resultContains: ({ result }) => ({ found: result === null ? [] : [result], fits: contains }),
  errorContains: ({ error }) => ({ found: error === null ? [] : [error], fits: contains }),
  questions: ({ questions }) => ({ found: questions, fits: contains }),
  decisions: ({ decisions }) => ({
    found: decisions.map(({ question, decision, reasoning }) => `${question} → ${decision} (${reasoning})`),
    fits: contains,
  }),
};

function judgeAll(key: string, expected: readonly string[], { found, fits, isForbidden = false }: Judge): MetExpectation[] {
  const told = found.length === 0 ? "nothing" : found.join("; ");
  if (expected.length === 0) return isForbidden ? [] : [{ key, expected: "none", isMet: found.length === 0, found: told }];
  return expected.map((each) => ({ key, expected: each, isMet: found.some((one) => fits(one, each)) !== isForbidden, found: told }));
}

const listOf = (oneOrMore: string | readonly string[]): readonly string[] => (typeof oneOrMore === "string" ? [oneOrMore] : oneOrMore);
