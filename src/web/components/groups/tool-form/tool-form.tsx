"use client";

import { useEffect, useId, useMemo, useRef } from "react";
import type { FormState } from "../../../tool-form/form-state.ts";
import { textProblem } from "../../../tool-form/form-state.ts";
import { pointerOf } from "../../../tool-form/json.ts";
import { toldProblems } from "../../../tool-form/problems.ts";
import { shapeOf } from "../../../tool-form/shape.ts";
import { Segment } from "../../elements/segment.tsx";
import { FieldNotes } from "./field-frame.tsx";
import { FormContext } from "./form-context.ts";
import { JsonEditor } from "./json-editor.tsx";
import { ObjectFields } from "./object-fields.tsx";
import { SchemaField } from "./schema-field.tsx";
import type { ToolFormHandle } from "./use-tool-form.ts";

type ToolFormProps = {
  form: ToolFormHandle;
  /** Rises each time somebody tried in vain; the first field to fix has focus then. */
  vainTries: number;
};

/** A tool's input, field by field or as JSON: two views of one thing. */
export function ToolForm({ form: { read, schema, state, dispatch, calmly }, vainTries }: ToolFormProps) {
  const id = useId();
  const element = useRef<HTMLDivElement>(null);
  const problems = useMemo(() => toldProblems(state), [state]);
  const told = useMemo(() => new Map(problems.map(({ path, message }) => [pointerOf(path), message])), [problems]);

  useEffect(() => {
    if (vainTries === 0) return;
    const first = element.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid]");
    // What is wrong may lie beyond what is drawn; as JSON it is always in the list.
    if (first === null || first === undefined) dispatch({ type: "show", mode: "json" });
    first?.focus();
  }, [vainTries, dispatch]);

  const context = useMemo(
    () => ({ id, read, state, told, dispatch, calmly, Part: SchemaField }),
    [id, read, state, told, dispatch, calmly],
  );
  return (
    <div ref={element} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {state.mode === "json" ? (
        <JsonEditor
          id={`${id}-json`}
          text={state.text}
          problem={state.misfit ?? textProblem(state.text)}
          issues={problems}
          onText={(text) => dispatch({ type: "text", text })}
        />
      ) : (
        <FormContext value={context}>
          <RootFields {...{ read, schema, problem: told.get(""), id }} />
        </FormContext>
      )}
    </div>
  );
}

function RootFields({ read, schema, problem, id }: Pick<ToolFormHandle, "read" | "schema"> & { problem: string | undefined; id: string }) {
  const shape = useMemo(() => shapeOf(read, read(schema).schema), [read, schema]);
  if (shape.kind !== "object") return takesNothing(schema) ? <NoInput /> : <SchemaField path={[]} part={schema} name="input" isRequired />;
  return (
    <>
      {shape.properties.length === 0 && shape.rest === null ? <NoInput /> : null}
      <ObjectFields path={[]} shape={shape} />
      {problem === undefined ? null : (
        <div data-invalid tabIndex={-1}>
          <FieldNotes id={id} hint={undefined} problem={problem} />
        </div>
      )}
    </>
  );
}

/** A schema that says nothing of what goes in means, as a rule, that nothing does. */
const takesNothing = (schema: ToolFormHandle["schema"]): boolean =>
  Object.keys(schema).every(
    (key) => key === "type" || key === "$schema" || key === "properties" || key === "title" || key === "description",
  );

const NoInput = () => <p className="text-ink-2">This tool takes no input.</p>;

export const ModeSwitch = ({ mode, onMode }: { mode: FormState["mode"]; onMode: (mode: FormState["mode"]) => void }) => (
  <Segment
    label="Input as"
    value={mode}
    options={[
      { value: "form", label: "Form" },
      { value: "json", label: "JSON" },
    ]}
    onChange={onMode}
  />
);
