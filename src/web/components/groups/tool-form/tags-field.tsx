import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { isList } from "../../../tool-form/json.ts";
import { Button } from "../../elements/button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Input } from "../../elements/input.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { useField } from "./form-context.ts";
import { placeholderOf } from "./placeholder.ts";
import type { FieldProps } from "./field-props.ts";
import { NullNote, ValueActions } from "./value-actions.tsx";

const mostShown = 200;

/** A list of short texts. Enter adds one; each can be taken back into the field, changed, and put in its place again. */
export function TagsField({ path, schema, isRequired, isNullable, isEntry, facts, tools }: FieldProps<{ kind: "tags" }>) {
  const field = useField(path, isEntry);
  const { id, value, set, touch, problem, control, told, pointer, calmly } = field;
  const [text, setText] = useState("");
  const entry = useRef<HTMLInputElement>(null);
  const tags = isList(value) ? value.map(String) : [];
  const wrong = tags.map((_, index) => told.get(`${pointer}/${index}`)).find((found) => found !== undefined);

  const add = (tag: string) => {
    set([...tags, tag]);
    setText("");
  };
  const remove = (index: number) => {
    set(tags.toSpliced(index, 1));
    entry.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (text !== "") add(text);
    }
    const last = tags.at(-1);
    if (event.key === "Backspace" && text === "" && last !== undefined) {
      event.preventDefault();
      set(tags.slice(0, -1));
      setText(last);
    }
  };
  return (
    <FieldFrame
      id={id}
      facts={facts}
      problem={problem ?? wrong}
      actions={
        <ValueActions
          tools={tools}
          field={field}
          isRequired={isRequired}
          isNullable={isNullable}
          empty={{ value: [], offer: "Send empty list" }}
        />
      }
    >
      {value === null ? (
        <NullNote />
      ) : (
        <div className="flex flex-wrap items-center gap-[5px]">
          {tags.slice(0, mostShown).map((tag, index) => (
            <Tag key={`${index} ${tag}`} tag={tag} isWrong={told.has(`${pointer}/${index}`)} onRemove={() => remove(index)} />
          ))}
          {tags.length > mostShown ? <span className="text-xs text-ink-3">and {tags.length - mostShown} more</span> : null}
          <span className="flex min-w-40 flex-1 gap-1">
            <Input
              {...control}
              ref={entry}
              invalid={problem !== undefined || wrong !== undefined}
              value={text}
              autoComplete="off"
              placeholder={placeholderOf(schema) ?? "Enter adds it"}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
              // Text that was typed and not added would silently not be sent.
              onBlur={() => {
                if (text !== "") calmly(() => add(text));
                touch();
              }}
            />
            <Button
              variant="ghost"
              className="h-auto"
              icon={<Icon of={Plus} className="size-[15px]" />}
              onClick={() => (text === "" ? entry.current?.focus() : add(text))}
            >
              Add
            </Button>
          </span>
        </div>
      )}
    </FieldFrame>
  );
}

const Tag = ({ tag, isWrong, onRemove }: { tag: string; isWrong: boolean; onRemove: () => void }) => (
  <span
    className={`inline-flex h-6 max-w-full items-center gap-1 rounded-1 border bg-surface pl-[7px] text-xs max-rail:h-[46px] ${isWrong ? "border-err text-err" : "border-line text-ink-2"}`}
  >
    <code className="overflow-hidden text-ellipsis whitespace-pre">{tag === "" ? "(empty)" : tag.slice(0, 200)}</code>
    <button
      type="button"
      aria-label={`Remove ${tag.slice(0, 60)}`}
      onClick={onRemove}
      className="grid h-full w-6 place-items-center rounded-1 hover:bg-hover focus-visible:-outline-offset-2 max-rail:w-11"
    >
      <Icon of={X} className="size-3" />
    </button>
  </span>
);
