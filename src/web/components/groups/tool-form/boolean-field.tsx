import { Segment } from "../../elements/segment.tsx";
import { Switch } from "../../elements/switch.tsx";
import { FieldNotes } from "./field-frame.tsx";
import { FieldName } from "./field-name.tsx";
import { useField } from "./form-context.ts";
import type { FieldProps } from "./field-props.ts";

/** A switch where there are only on and off; where it may also be left out, that is a choice like the others. */
export function BooleanField({ path, schema, isRequired, isNullable, isEntry, facts, tools }: FieldProps<{ kind: "boolean" }>) {
  const { id, value, set, problem, control } = useField(path, isEntry);
  const isTwoState = !isNullable && typeof value === "boolean" && (isRequired || "default" in schema);
  if (isTwoState)
    return (
      <div className="flex flex-wrap items-start">
        <Switch
          id={id}
          checked={value}
          aria-describedby={control["aria-describedby"]}
          {...(problem === undefined ? {} : { "aria-invalid": true })}
          onChange={(event) => set(event.target.checked)}
        >
          <span className="flex flex-wrap items-baseline gap-x-2 font-medium">
            <FieldName {...facts} />
          </span>
        </Switch>
        <span className="ml-auto">{tools}</span>
        <div className="basis-full">
          <FieldNotes id={id} hint={facts.hint} problem={problem} />
        </div>
      </div>
    );
  const label = facts.title ?? facts.name;
  return (
    <div
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start gap-[5px]"
      id={id}
      tabIndex={-1}
      {...(problem === undefined ? {} : { "data-invalid": true })}
    >
      <span className="flex w-full flex-wrap items-baseline gap-x-2 font-medium">
        <FieldName {...facts} />
        <span className="ml-auto">{tools}</span>
      </span>
      <Segment
        label={label}
        value={value === undefined ? "out" : JSON.stringify(value)}
        options={[
          ...(isRequired ? [] : [{ value: "out", label: "Left out" }]),
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
          ...(isNullable ? [{ value: "null", label: "null" }] : []),
        ]}
        onChange={(next) => set(meanings[next])}
      />
      <FieldNotes id={id} hint={facts.hint} problem={problem} />
    </div>
  );
}

const meanings: Readonly<Record<string, boolean | null | undefined>> = { out: undefined, true: true, false: false, null: null };
