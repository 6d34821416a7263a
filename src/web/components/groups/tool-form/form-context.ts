import { createContext, use } from "react";
import type { ComponentType } from "react";
import type { FormAction, FormState } from "../../../tool-form/form-state.ts";
import { pointerOf, valueAt } from "../../../tool-form/json.ts";
import type { Path } from "../../../tool-form/json.ts";
import type { ReadSchema } from "../../../tool-form/read-schema.ts";

import type { SchemaFieldProps } from "./field-props.ts";

export type ToolFormContext = {
  id: string;
  read: ReadSchema;
  state: FormState;
  /** What is told to be wrong, by pointer. */
  told: ReadonlyMap<string, string>;
  /** The field for any part: fields that hold others find it here, because it knows them all. */
  Part: ComponentType<SchemaFieldProps>;
  dispatch: (action: FormAction) => void;
  calmly: (action: () => void) => void;
};

export const FormContext = createContext<ToolFormContext | null>(null);

/** One place of the input, for the control that edits it. An entry of a list or a map keeps its place when it is emptied. */
export function useField(path: Path, isEntry = false) {
  const form = use(FormContext);
  if (form === null) throw new Error("useField needs a ToolForm above it.");
  const pointer = pointerOf(path);
  const id = fieldId(form.id, pointer);
  const problem = form.told.get(pointer);
  return {
    ...form,
    id,
    pointer,
    value: valueAt(form.state.input, path),
    problem,
    isTouched: form.state.touched[pointer] === true,
    set: (value: unknown) => form.dispatch({ type: "set", path, value: isEntry && value === undefined ? blankEntry : value }),
    touch: () => form.calmly(() => form.dispatch({ type: "touch", path })),
    draft: (draftProblem: string | null) => form.dispatch({ type: "draft", path, problem: draftProblem }),
    /** For the control: what it is named after, and what is wrong with it. */
    control: {
      id,
      "aria-describedby": `${id}-hint ${id}-error`,
      invalid: problem !== undefined,
    },
  };
}

/** What an entry holds before anything is put there: for most kinds it is wrong, and told so. */
export const blankEntry = "";

export type Field = ReturnType<typeof useField>;

/** Keys are others' text; an id has no spaces, and no two places share one. */
const fieldId = (form: string, pointer: string): string =>
  `${form}${pointer.replaceAll(/[^A-Za-z0-9_-]/g, (character) => `.${character.charCodeAt(0).toString(36)}.`)}`;
