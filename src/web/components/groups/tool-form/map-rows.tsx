import { Plus, X } from "lucide-react";
import { useState } from "react";
import { fromEntries, isObject } from "../../../tool-form/json.ts";
import type { Path } from "../../../tool-form/json.ts";
import { prefill } from "../../../tool-form/prefill.ts";
import { Button } from "../../elements/button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Input } from "../../elements/input.tsx";
import { blankEntry, useField } from "./form-context.ts";

type MapRowsProps = {
  path: Path;
  keys: readonly string[];
  part: unknown;
  /** Names that have fields of their own. */ known: ReadonlySet<string>;
};

const mostShown = 100;

/** Entries under names that a person gives. */
export function MapRows({ path, keys, part, known }: MapRowsProps) {
  const { id, value, set, read, Part } = useField(path);
  const [name, setName] = useState("");
  const entries = isObject(value) ? Object.entries(value) : [];
  const isTaken = entries.some(([key]) => key === name) || known.has(name);

  const add = () => {
    if (isTaken || name === "") return;
    set(fromEntries([...entries, [name, prefill(read, part, true) ?? blankEntry]]));
    setName("");
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {keys.slice(0, mostShown).map((key) => (
        <Part
          key={key}
          path={[...path, key]}
          part={part}
          name={key}
          isRequired={false}
          isEntry
          tools={
            <button
              type="button"
              aria-label={`Remove ${key.slice(0, 60)}`}
              onClick={() => set(fromEntries(entries.filter(([other]) => other !== key)))}
              className="grid size-6 place-items-center rounded-1 text-ink-2 hover:bg-hover max-rail:size-11"
            >
              <Icon of={X} className="size-3.5" />
            </button>
          }
        />
      ))}
      {keys.length > mostShown ? <p className="text-xs text-ink-3">and {keys.length - mostShown} more, in the JSON.</p> : null}
      <div className="flex items-center gap-1">
        <Input
          aria-label={path.length === 0 ? "Name of a new entry" : `Name of a new entry of ${String(path.at(-1))}`}
          aria-describedby={`${id}-taken`}
          invalid={isTaken}
          value={name}
          placeholder="name"
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            add();
          }}
        />
        <Button
          variant="ghost"
          icon={<Icon of={Plus} className="size-[15px]" />}
          {...(name === "" ? { disabledBecause: "Give the new entry a name first." } : {})}
          onClick={add}
        >
          Add entry
        </Button>
      </div>
      <p id={`${id}-taken`} className="text-xs text-err empty:hidden">
        {isTaken ? "There is an entry of this name already." : null}
      </p>
    </div>
  );
}
