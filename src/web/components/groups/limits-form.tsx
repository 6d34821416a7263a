"use client";

import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import type { Session } from "../../../schema/session.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { Input } from "../elements/input.tsx";
import { PersonNote } from "./person-note.tsx";

/** Says what a session may cost from now on. */
export function LimitsForm({ session, onDone }: { session: Session; onDone: () => void }) {
  const { change, isBusy, failure } = useSessionChanges(session.id);
  const [problem, setProblem] = useState<string | null>(null);
  const { maxCostUsd } = session.limits;
  const field = useRef<HTMLInputElement>(null);
  // Somebody asked for it, so writing is what comes next.
  useEffect(() => field.current?.focus(), []);

  const set = async (limit: number | null) => {
    if (await change({ limits: { maxCostUsd: limit } })) onDone();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const limit = Number(new FormData(event.currentTarget).get("limit"));
    if (Number.isFinite(limit) && limit > 0) void set(limit);
    else setProblem("Write a number of dollars that is more than 0.");
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field
        htmlFor="session-limit"
        label="Session limit"
        aside="dollars"
        hint="When it is reached, an answer pauses and asks you, and new messages are refused until you raise it."
        error={problem ?? failure ?? undefined}
      >
        <Input
          ref={field}
          id="session-limit"
          name="limit"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={maxCostUsd ?? ""}
          invalid={problem !== null}
          aria-describedby={problem === null ? "session-limit-hint" : "session-limit-error"}
        />
      </Field>
      <PersonNote to="raise a limit here" />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={isBusy}>
          Save limit
        </Button>
        {maxCostUsd === undefined ? null : (
          <Button size="sm" onClick={() => void set(null)}>
            Remove it
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
