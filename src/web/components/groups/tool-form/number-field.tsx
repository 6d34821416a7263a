import { useState } from "react";
import { numberOf } from "../../../tool-form/number-text.ts";
import { Input } from "../../elements/input.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { useField } from "./form-context.ts";
import { placeholderOf } from "./placeholder.ts";
import type { FieldProps } from "./field-props.ts";
import { NullNote, ValueActions } from "./value-actions.tsx";

/** A number as it is typed. What is no number stays in the input as the text it is, and is told to be wrong. */
export function NumberField({
  path,
  shape,
  schema,
  isRequired,
  isNullable,
  isEntry,
  facts,
  tools,
}: FieldProps<{ kind: "number"; isWhole: boolean }>) {
  const field = useField(path, isEntry);
  const { value, set, touch, control, problem } = field;
  const [typed, setTyped] = useState("");
  // "1.0" and "1" are one number: what was typed is kept for as long as it means what is there.
  const shown = numberOf(typed) === value ? typed : typeof value === "number" || typeof value === "string" ? String(value) : "";
  const onText = (text: string) => {
    setTyped(text);
    set(text.trim() === "" ? undefined : numberOf(text));
  };
  return (
    <FieldFrame
      id={field.id}
      facts={facts}
      problem={problem}
      actions={<ValueActions tools={tools} field={field} isRequired={isRequired} isNullable={isNullable} />}
    >
      {value === null ? (
        <NullNote />
      ) : (
        <Input
          {...control}
          className="tabular-nums"
          inputMode={shape.isWhole ? "numeric" : "decimal"}
          autoComplete="off"
          value={shown}
          placeholder={placeholderOf(schema)}
          onBlur={touch}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}
