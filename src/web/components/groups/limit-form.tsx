"use client";

import { useId, useState } from "react";
import type { FormEvent } from "react";
import { money } from "../../../schema/money.ts";
import { readDollars } from "../../format/dollars.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { useBusy } from "../../live/use-busy.ts";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { Input } from "../elements/input.tsx";
import { PersonNote, useClosedBecause } from "./person-note.tsx";

type LimitAction = { says: string; do: (limitUsd: number) => Promise<void> };

type LimitFormProps = {
  label: string;
  hint?: string;
  suggested: number | null;
  /** What is spent already: a limit below it would refuse the next message at once. */
  above: number;
  /** The first is what Enter does. */
  actions: readonly [LimitAction, ...LimitAction[]];
};

/** An amount of dollars, and what to do with it. */
export function LimitForm({ label, hint, suggested, above, actions }: LimitFormProps) {
  const id = useId();
  const [text, setText] = useState(suggested === null ? "" : String(suggested));
  const [error, setError] = useState<string>();
  const [isBusy, begin] = useBusy();
  const closedBecause = useClosedBecause();

  const act = (action: LimitAction) => {
    if (isBusy || closedBecause !== undefined) return;
    const amount = readDollars(text);
    if (amount === null) return setError("Write an amount in dollars, such as 5 or 2.50.");
    if (amount <= above) return setError(`${money(above)} is spent already. A limit has to be above that.`);
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
            <span aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3">
              $
            </span>
            <Input
              id={id}
              inputMode="decimal"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
              invalid={error !== undefined}
              aria-describedby={describedBy(id, hint, error)}
              className="pl-6 tabular-nums max-rail:min-h-11"
            />
          </span>
          {actions.map((action, at) => (
            <Button
              key={action.says}
              variant={at === 0 ? "primary" : "default"}
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
