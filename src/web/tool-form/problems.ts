import type { Issue } from "./issue.ts";
import type { FormState } from "./form-state.ts";
import { textProblem } from "./form-state.ts";
import { pathOf, pointerOf } from "./json.ts";

/** Everything that stands in the way of a run, the first thing said of a place only. */
export function problemsOf(state: FormState): Issue[] {
  if (state.mode === "json" && textProblem(state.text) !== null) return [];
  const drafts = Object.entries(state.drafts).map(([pointer, message]) => ({ path: pathOf(pointer, state.input), message }));
  const all = [...drafts, ...state.refused, ...state.found].map((issue) => [pointerOf(issue.path), issue] as const);
  return [...new Map(all.toReversed()).values()].toReversed();
}

/** Those that are told now: all after a first try, before it only where somebody has been. */
export const toldProblems = (state: FormState): Issue[] =>
  state.hasTried || state.mode === "json"
    ? problemsOf(state)
    : problemsOf(state).filter(({ path }) => state.touched[pointerOf(path)] === true);
