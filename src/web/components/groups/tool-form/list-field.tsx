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
  tools,
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
          tools={tools}
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
        <Part
          key={keys.of(index)}
          path={[...path, index]}
          part={shape.itemAt(index)}
          name={facts.title ?? facts.name}
          ordinal={index + 1}
          isRequired
          isEntry
          tools={<ItemSteps number={index + 1} isLast={index === items.length - 1} onMove={(to) => move(index, to)} />}
        />
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

type ItemStepsProps = { number: number; isLast: boolean; onMove: (to: number | null) => void };

const ItemSteps = ({ number, isLast, onMove }: ItemStepsProps) => (
  <span className="flex">
    <Step label={`Move item ${number} up`} icon={ArrowUp} {...(number > 1 ? { onClick: () => onMove(number - 2) } : {})} />
    <Step label={`Move item ${number} down`} icon={ArrowDown} {...(isLast ? {} : { onClick: () => onMove(number) })} />
    <Step label={`Remove item ${number}`} icon={X} onClick={() => onMove(null)} />
  </span>
);

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
