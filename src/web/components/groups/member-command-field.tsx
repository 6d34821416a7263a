"use client";

import type { KeyboardEvent } from "react";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { Input, TextArea } from "../elements/input.tsx";
import { CommandParts } from "./command-parts.tsx";
import { partsOf, rewritten } from "./member-draft.ts";
import type { MemberDraft } from "./member-draft.ts";

type MemberCommandFieldProps = { draft: MemberDraft; error: string | undefined; onChange: (more: Partial<MemberDraft>) => void };

/** The command as one line, as it is copied from a README, or part by part. Either way its parts are in sight. */
export function MemberCommandField({ draft, error, onChange }: MemberCommandFieldProps) {
  const { parts } = partsOf(draft);
  const other = rewritten(draft);
  const isLine = draft.writtenAs === "line";
  const errorId = error === undefined ? undefined : "member-command-error";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {isLine ? (
        <Field htmlFor="member-command" label="Command" aside="as you would write it in a terminal" error={error}>
          {/* A command that is copied may go over several lines, which a one-line field would run together. */}
          <TextArea
            id="member-command"
            value={draft.line}
            rows={2}
            data-first-focus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="font-mono"
            placeholder="npx -y @modelcontextprotocol/server-memory"
            invalid={error !== undefined}
            aria-describedby={errorId}
            onKeyDown={submitOnEnter}
            onChange={(event) => onChange({ line: event.target.value })}
          />
        </Field>
      ) : (
        <>
          <Field htmlFor="member-command" label="Program" error={error}>
            <Input
              id="member-command"
              value={draft.program}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              className="font-mono"
              placeholder="npx"
              invalid={error !== undefined}
              aria-describedby={errorId}
              onChange={(event) => onChange({ program: event.target.value })}
            />
          </Field>
          <Field htmlFor="member-arguments" label="Arguments" aside="one on each line, taken as they are">
            <TextArea
              id="member-arguments"
              value={draft.arguments}
              rows={4}
              spellCheck={false}
              className="font-mono"
              onChange={(event) => onChange({ arguments: event.target.value })}
            />
          </Field>
        </>
      )}
      {isLine && parts !== null && parts.length > 1 ? <CommandParts parts={parts} /> : null}
      <div>
        <Button
          size="sm"
          variant="ghost"
          disabledBecause={other === null ? "Put right what is wrong with the command first." : undefined}
          onClick={() => other !== null && onChange(other)}
        >
          {isLine ? "Write it argument by argument" : "Write it as one line"}
        </Button>
      </div>
    </div>
  );
}

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
