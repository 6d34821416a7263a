import { useState } from "react";
import { isSame } from "../../../tool-form/likeness.ts";
import { readJson, writeJson } from "../../../tool-form/json-text.ts";
import { TextArea } from "../../elements/input.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { useField } from "./form-context.ts";
import type { FieldProps } from "./field-props.ts";

/** A part the form has no control for, as JSON. Emptied, it is left out. */
export function JsonPart({ path, isEntry, facts, tools }: FieldProps<{ kind: "json" }>) {
  const { id, value, set, touch, draft, problem, control, state, pointer } = useField(path, isEntry);
  const [typed, setTyped] = useState(() => writeJson(value));
  const own = readJson(typed);
  // A text that is no JSON yet stays while it is told; one that means something else was overtaken from outside.
  const isOwn = state.drafts[pointer] !== undefined || (own.problem === null && isSame(own.value, value));
  const onText = (text: string) => {
    setTyped(text);
    const read = text.trim() === "" ? { value: undefined, problem: null } : readJson(text);
    draft(read.problem === null ? null : read.problem.sentence);
    if (read.problem === null) set(read.value);
    else touch();
  };
  return (
    <FieldFrame id={id} facts={facts} problem={problem} actions={<span className="ml-auto">{tools}</span>}>
      <TextArea
        {...control}
        rows={3}
        spellCheck={false}
        className="field-sizing-content max-h-90 min-h-16 font-mono text-(length:--code)"
        value={isOwn ? typed : writeJson(value)}
        placeholder="JSON"
        onBlur={touch}
        onChange={(event) => onText(event.target.value)}
      />
    </FieldFrame>
  );
}
