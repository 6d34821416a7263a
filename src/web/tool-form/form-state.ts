import type { Choices, Issue } from "./issue.ts";
import { isList, isObject, pointerOf, valueAt, withValueAt } from "./json.ts";
import type { JsonObject, Path } from "./json.ts";
import { readJson, writeJson } from "./json-text.ts";
import { misfit } from "./misfit.ts";
import { carriedOver, prefill } from "./prefill.ts";
import type { ReadSchema } from "./read-schema.ts";
import { createRenumber } from "./renumber.ts";

/** A tool's input while it is made. The input itself is the truth, in the form and as JSON; what is left out is not in it. */
export type FormState = {
  input: JsonObject;
  mode: "form" | "json";
  /** What stands in the editor, which need not be JSON yet. Counts in the mode `json` only. */
  text: string;
  /** Why the editor's text cannot be shown in the form. */
  misfit: string | null;
  /** Fields that hold what is no value yet, with what is wrong there, by pointer. */
  drafts: Readonly<Record<string, string>>;
  choices: Choices;
  /** What a variant held before another one was chosen, so that going back loses nothing. */
  parked: Readonly<Record<string, unknown>>;
  /** Fields that somebody has been in, by pointer. Only they are told what is wrong before a first try. */
  touched: Readonly<Record<string, true>>;
  /** Fields that were left while a check was due: what is wrong there is told when it is known. */
  left: Readonly<Record<string, true>>;
  hasTried: boolean;
  /** What the check found in the input it was last made of. */
  found: readonly Issue[];
  checked: JsonObject | null;
  /** What the hall found in the input it was last given. */
  refused: readonly Issue[];
};

export type FormAction =
  | { type: "set"; path: Path; value: unknown }
  | { type: "draft"; path: Path; problem: string | null }
  | { type: "choose"; path: Path; from: number; to: number; part: unknown }
  | { type: "move"; path: Path; from: number; to: number | null }
  | { type: "touch"; path: Path }
  | { type: "text"; text: string }
  | { type: "show"; mode: FormState["mode"] }
  | { type: "load"; input: JsonObject }
  | { type: "found"; issues: readonly Issue[] }
  | { type: "refused"; issues: readonly Issue[] }
  | { type: "tried" };

export function createFormReducer(read: ReadSchema, schema: JsonObject) {
  const reduce = (state: FormState, action: FormAction): FormState => {
    switch (action.type) {
      case "set":
        return withInput(state, withValueAt(state.input, action.path, action.value), action.path);
      case "draft":
        return { ...state, drafts: withKey(state.drafts, pointerOf(action.path), action.problem ?? undefined) };
      case "choose":
        return chosen(read, state, action);
      case "move":
        return moved(state, action);
      case "touch":
        return touched(state, pointerOf(action.path));
      case "text":
        return withText(state, action.text);
      case "show":
        return action.mode === "json"
          ? { ...state, mode: "json", text: writeJson(state.input), misfit: null }
          : shownInForm(read, schema, state);
      case "load":
        return { ...fresh(action.input), mode: state.mode, text: writeJson(action.input) };
      case "found":
        return { ...state, found: action.issues, checked: state.input, touched: { ...state.touched, ...state.left }, left: {} };
      case "refused":
        return { ...state, refused: action.issues, hasTried: true };
      case "tried":
        return { ...state, hasTried: true };
    }
  };
  return { reduce, begin: (): FormState => fresh(begun(read, schema)) };
}

function begun(read: ReadSchema, schema: JsonObject): JsonObject {
  const input = prefill(read, schema, true);
  return isObject(input) ? input : {};
}

const fresh = (input: JsonObject): FormState => ({
  input,
  mode: "form",
  text: "",
  misfit: null,
  drafts: {},
  choices: {},
  parked: {},
  touched: {},
  left: {},
  hasTried: false,
  found: [],
  checked: null,
  refused: [],
});

const touched = (state: FormState, pointer: string): FormState =>
  state.checked === state.input
    ? { ...state, touched: withKey(state.touched, pointer, true) }
    : { ...state, left: withKey(state.left, pointer, true) };

/** What the hall said about a part no longer holds once somebody changed it, or something in it. */
function withInput(state: FormState, input: unknown, path: Path): FormState {
  const changed = pointerOf(path);
  const isElsewhere = ({ path: place }: Issue) => !`${pointerOf(place)}/`.startsWith(`${changed}/`);
  return { ...state, input: isObject(input) ? input : {}, refused: state.refused.filter(isElsewhere) };
}

function chosen(read: ReadSchema, state: FormState, { path, from, to, part }: Extract<FormAction, { type: "choose" }>): FormState {
  const pointer = pointerOf(path);
  const value = valueAt(state.input, path);
  const kept = state.parked[`${pointer} ${to}`];
  const next = carriedOver(read, part, isObject(kept) && isObject(value) ? { ...kept, ...value } : (kept ?? value));
  const parked = withKey(state.parked, `${pointer} ${from}`, value);
  return { ...withInput(state, withValueAt(state.input, path, next), path), parked, choices: { ...state.choices, [pointer]: to } };
}

/** What is remembered by place moves with its item. */
function moved(state: FormState, { path, from, to }: Extract<FormAction, { type: "move" }>): FormState {
  const items = valueAt(state.input, path);
  if (!isList(items)) return state;
  const rest = items.toSpliced(from, 1);
  const renumber = createRenumber(pointerOf(path), from, to);
  return {
    ...withInput(state, withValueAt(state.input, path, to === null ? rest : rest.toSpliced(to, 0, items[from])), path),
    drafts: renumber(state.drafts),
    choices: renumber(state.choices),
    parked: renumber(state.parked),
    touched: renumber(state.touched),
    left: renumber(state.left),
  };
}

function withText(state: FormState, text: string): FormState {
  const read = readJson(text);
  if (read.problem !== null) return { ...state, text, misfit: null };
  if (!isObject(read.value)) return { ...state, text, misfit: null };
  return { ...state, text, misfit: null, input: read.value, refused: [] };
}

/** JSON that the form has no place for stays where it is, with the reason. */
function shownInForm(read: ReadSchema, schema: JsonObject, state: FormState): FormState {
  const problem = textProblem(state.text) ?? misfit(read, schema, state.input);
  if (problem !== null) return { ...state, misfit: `${problem} It stays here until it fits.` };
  return { ...fresh(state.input), hasTried: state.hasTried, found: state.found, checked: state.checked, refused: state.refused };
}

/** Why the editor's text is no input; null where it is one. */
export function textProblem(text: string): string | null {
  const read = readJson(text);
  if (read.problem !== null) return read.problem.sentence;
  return isObject(read.value) ? null : "The input of a tool is an object: it stands between { and }.";
}

function withKey<Value>(record: Readonly<Record<string, Value>>, key: string, value: Value | undefined): Readonly<Record<string, Value>> {
  if (value !== undefined) return { ...record, [key]: value };
  const { [key]: _gone, ...rest } = record;
  return rest;
}
