import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useState } from "react";
import { isList } from "../../../tool-form/json.ts";
import { prefill } from "../../../tool-form/prefill.ts";
import { Button } from "../../elements/button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { GroupFrame } from "./field-frame.tsx";
import { blankEntry, useField } from "./form-context.ts";
import type { FieldProps } from "./field-props.ts";
import { useItemKeys } from "./use-item-keys.ts";
import { NullNote, ValueActions } from "./value-actions.tsx";

const pageSize = 50;

/** A list of anything: items are added, taken out and moved, and keep what was typed in them. */
export function ListField({
  path,
  shape,
  schema,
  isRequired,
  isNullable,
  isEntry,
  facts,
}: FieldProps<{ kind: "list"; itemAt: (index: number) => unknown }>) {
  const field = useField(path, isEntry);
  const { id, value, set, dispatch, problem, read, Part } = field;
  const items = isList(value) ? value : [];
  const keys = useItemKeys(items.length);
  const [most, setMost] = useState(pageSize);
  const isFull = typeof schema["maxItems"] === "number" && items.length >= schema["maxItems"];

  const add = () => set([...items, prefill(read, shape.itemAt(items.length), true) ?? blankEntry]);
  const move = (from: number, to: number | null) => {
    keys.move(from, to);
    dispatch({ type: "move", path, from, to });
  };
  return (
    <GroupFrame
      id={id}
      facts={facts}
      problem={problem}
      actions={
        <ValueActions
          field={field}
          isRequired={isRequired}
          isNullable={isNullable}
          empty={{ value: [], offer: "Send empty list" }}
          begin={() => []}
        />
      }
    >
      {value === null ? <NullNote /> : null}
      {items.slice(0, most).map((_, index) => (
        <div key={keys.of(index)} className="flex items-start gap-1 border-line not-first:border-t not-first:pt-2">
          <div className="min-w-0 flex-1">
            <Part path={[...path, index]} part={shape.itemAt(index)} name={`${facts.name}[${index}]`} isRequired isEntry />
          </div>
          <div className="flex flex-none">
            <Step label={`Move item ${index + 1} up`} icon={ArrowUp} {...(index > 0 ? { onClick: () => move(index, index - 1) } : {})} />
            <Step
              label={`Move item ${index + 1} down`}
              icon={ArrowDown}
              {...(index < items.length - 1 ? { onClick: () => move(index, index + 1) } : {})}
            />
            <Step label={`Remove item ${index + 1}`} icon={X} onClick={() => move(index, null)} />
          </div>
        </div>
      ))}
      {items.length > most ? (
        <Button size="sm" className="justify-self-start" onClick={() => setMost(most + pageSize)}>
          Show {Math.min(pageSize, items.length - most)} more of {items.length}
        </Button>
      ) : null}
      {value === null || isFull ? null : (
        <Button size="sm" variant="ghost" className="justify-self-start" icon={<Icon of={Plus} className="size-[15px]" />} onClick={add}>
          Add item
        </Button>
      )}
    </GroupFrame>
  );
}

const Step = ({ label, icon, onClick }: { label: string; icon: typeof X; onClick?: () => void }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    aria-disabled={onClick === undefined || undefined}
    onClick={onClick}
    className="grid size-6 place-items-center rounded-1 text-ink-2 hover:bg-hover aria-disabled:cursor-default aria-disabled:text-line-strong aria-disabled:hover:bg-transparent max-rail:size-11"
  >
    <Icon of={icon} className="size-3.5" />
  </button>
);
