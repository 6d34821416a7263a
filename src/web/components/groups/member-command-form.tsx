"use client";

import { useState } from "react";
import type { KeyboardEvent, SubmitEvent } from "react";
import type { AddMember } from "../../../schema/roster.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { Button } from "../elements/button.tsx";
import { DialogFooter } from "../elements/dialog.tsx";
import { Field } from "../elements/field.tsx";
import { Input, Select, TextArea } from "../elements/input.tsx";
import { MemberCommandField } from "./member-command-field.tsx";
import { checkDraft, proposedName } from "./member-draft.ts";
import type { CheckedDraft, MemberDraft } from "./member-draft.ts";

const formId = "add-member";

type MemberCommandFormProps = {
  draft: MemberDraft;
  onDraft: (draft: MemberDraft) => void;
  onReview: (member: AddMember) => void;
  onCancel: () => void;
};

/** A member by its command. Sending it leads to the exact command, and no further. */
export function MemberCommandForm({ draft, onDraft, onReview, onCancel }: MemberCommandFormProps) {
  const taken = new Set(useRoster().map(({ name }) => name));
  const [errors, setErrors] = useState<NonNullable<CheckedDraft["errors"]>>({});
  const change = (more: Partial<MemberDraft>) => {
    onDraft({ ...draft, ...more });
    setErrors({});
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const checked = checkDraft(draft, taken);
    if (checked.member === null) setErrors(checked.errors);
    else onReview(checked.member);
  };
  return (
    <>
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-3 pb-5">
        <MemberCommandField draft={draft} error={errors.command} onChange={change} />
        <div className="grid grid-cols-2 gap-3 max-rail:grid-cols-1">
          <Field htmlFor="member-name" label="Name" aside="lowercase letters, digits, dashes" error={errors.name}>
            <Input
              id="member-name"
              value={draft.name}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              placeholder={proposedName(draft, taken) || "what to call it"}
              invalid={errors.name !== undefined}
              aria-describedby={errors.name === undefined ? undefined : "member-name-error"}
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
          <Field htmlFor="member-transport" label="Speaks over">
            <Select
              id="member-transport"
              value={draft.transport}
              onChange={(event) => change({ transport: event.target.value === "http" ? "http" : "stdio" })}
            >
              <option value="stdio">stdio</option>
              <option value="http">HTTP, on the port in {"${PORT}"}</option>
            </Select>
          </Field>
        </div>
        <Field
          htmlFor="member-variables"
          label="Environment variables"
          aside="optional"
          hint="NAME=value, one on each line."
          error={errors.variables}
        >
          <TextArea
            id="member-variables"
            value={draft.variables}
            rows={2}
            spellCheck={false}
            className="font-mono"
            invalid={errors.variables !== undefined}
            aria-describedby={errors.variables === undefined ? "member-variables-hint" : "member-variables-error"}
            onKeyDown={submitOnModEnter}
            onChange={(event) => change({ variables: event.target.value })}
          />
        </Field>
      </form>
      <DialogFooter>
        <span className="text-xs text-ink-3 max-rail:hidden">Nothing is started yet.</span>
        <Button variant="ghost" className="ml-auto" onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" form={formId}>
          Review the command
        </Button>
      </DialogFooter>
    </>
  );
}

function submitOnModEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
