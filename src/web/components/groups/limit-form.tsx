"use client";

import { useId, useState } from "react";
import type { FormEvent } from "react";
import { limitUnits } from "../../format/limit-unit.ts";
import type { LimitUnit } from "../../format/limit-unit.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { useBusy } from "../../live/use-busy.ts";
import { Button } from "../elements/button.tsx";
import type { ButtonVariant } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { Input } from "../elements/input.tsx";
import { PersonNote, useClosedBecause } from "./person-note.tsx";

type LimitAction = { says: string; do: (limit: number) => Promise<void> };

type LimitFormProps = {
  label: string;
  hint?: string;
  suggested: number | null;
  unit?: LimitUnit;
  /** How much is used already. A limit below it would be reached at once. */
  above: number;
  /** The first is what Enter does. */
  actions: readonly [LimitAction, ...LimitAction[]];
  /** Why the limit cannot be changed now. */
  disabledBecause?: string | undefined;
  /** The look of the first action. */
  variant?: ButtonVariant;
};

/** An amount of dollars or turns, and what to do with it. */
export function LimitForm({
  label,
  hint,
  suggested,
  unit = "dollars",
  above,
  actions,
  disabledBecause,
  variant = "primary",
}: LimitFormProps) {
  const id = useId();
  const [text, setText] = useState(suggested === null ? "" : String(suggested));
  const [error, setError] = useState<string>();
  const [isBusy, begin] = useBusy();
  const withoutKey = useClosedBecause();
  const closedBecause = withoutKey ?? disabledBecause;

  const act = (action: LimitAction) => {
    if (isBusy || closedBecause !== undefined) return;
    const { read, unreadable, tooLow } = limitUnits[unit];
    const amount = read(text);
    if (amount === null) return setError(unreadable);
    if (amount <= above) return setError(tooLow(above));
    begin(async () => {
      try {
        await action.do(amount);
        setError(undefined);
      } catch (failure) {
        setError(sentenceOf(failure, "act"));
      }
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act(actions[0]);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Field htmlFor={id} label={label} {...(hint === undefined ? {} : { hint })} error={error}>
        <div className="flex flex-wrap items-center gap-2">
          <span className="relative w-28 flex-none">
            <span
              aria-hidden
              className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-3 ${unit === "dollars" ? "left-2.5" : "right-2.5"}`}
            >
              {unit === "dollars" ? "$" : "turns"}
            </span>
            <Input
              id={id}
              inputMode={unit === "dollars" ? "decimal" : "numeric"}
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
              invalid={error !== undefined}
              aria-describedby={describedBy(id, hint, error)}
              className={`tabular-nums max-rail:min-h-11 ${unit === "dollars" ? "pl-6" : "pr-13"}`}
            />
          </span>
          {actions.map((action, at) => (
            <Button
              key={action.says}
              variant={at === 0 ? variant : "default"}
              busy={isBusy && at === 0}
              disabledBecause={closedBecause}
              onClick={() => act(action)}
            >
              {action.says}
            </Button>
          ))}
        </div>
      </Field>
      <PersonNote to="change this limit here" className="mt-1.5" />
    </form>
  );
}

function describedBy(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  const parts = [hint === undefined ? [] : [`${id}-hint`], error === undefined ? [] : [`${id}-error`]].flat();
  return parts.length === 0 ? undefined : parts.join(" ");
}
