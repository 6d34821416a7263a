import { Plus } from "lucide-react";
import { isObject } from "../../../tool-form/json.ts";
import { prefill } from "../../../tool-form/prefill.ts";
import { Button } from "../../elements/button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { GroupFrame } from "./field-frame.tsx";
import { useField } from "./form-context.ts";
import { ObjectFields } from "./object-fields.tsx";
import type { ObjectShape } from "./object-fields.tsx";
import type { FieldProps } from "./field-props.ts";
import { NullNote, ValueActions } from "./value-actions.tsx";

/** An object within the input. One that may be left out is, until somebody adds it. */
export function ObjectField({ path, part, shape, isRequired, isNullable, isEntry, facts, tools }: FieldProps<ObjectShape>) {
  const field = useField(path, isEntry);
  const { id, value, set, problem, read } = field;
  const begin = () => prefill(read, part, true) ?? {};
  return (
    <GroupFrame
      id={id}
      facts={facts}
      problem={problem}
      actions={<ValueActions tools={tools} field={field} isRequired={isRequired} isNullable={isNullable} begin={begin} />}
    >
      {value === null ? <NullNote /> : null}
      {isObject(value) ? <ObjectFields path={path} shape={shape} /> : null}
      {value === undefined ? (
        <Button
          size="sm"
          variant="ghost"
          className="justify-self-start"
          icon={<Icon of={Plus} className="size-[15px]" />}
          onClick={() => set(begin())}
        >
          Add {facts.title ?? facts.name}
        </Button>
      ) : null}
    </GroupFrame>
  );
}
