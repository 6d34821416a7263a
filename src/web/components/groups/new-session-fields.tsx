"use client";

import type { KeyboardEvent } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import { Banner } from "../elements/banner.tsx";
import { Field } from "../elements/field.tsx";
import { Input, TextArea } from "../elements/input.tsx";
import { ChooseMembers } from "./choose-members.tsx";
import type { NewSessionErrors } from "./new-session-draft.ts";

type NewSessionFieldsProps = {
  name: string;
  context: string;
  model: ModelInfo;
  errors: NewSessionErrors;
  /** The context as it is written. */
  onContext: (context: string) => void;
};

/** What can be said of a session before it begins. Nothing must be. */
export function NewSessionFields({ name, context, model, errors, onContext }: NewSessionFieldsProps) {
  return (
    <>
      {errors.form === undefined ? null : (
        <div role="alert">
          <Banner title="It could not be started.">{errors.form}</Banner>
        </div>
      )}
      <Field htmlFor="new-session-name" label="Name" aside="optional, else as its first message" error={errors.name}>
        <Input
          {...control("name", errors.name)}
          defaultValue={name}
          maxLength={200}
          data-first-focus
          autoComplete="off"
          placeholder="What it is about, in a few words"
        />
      </Field>
      <Field htmlFor="new-session-context" label="Starting context" aside="optional, saved as context.md" error={errors.context}>
        <TextArea
          {...control("context", errors.context)}
          defaultValue={context}
          onChange={(event) => onContext(event.target.value)}
          rows={3}
          placeholder="What the agent should know from the start, and keep in mind"
          className="max-h-[30vh]"
        />
      </Field>
      <div>
        <ChooseMembers name="members" />
        {errors.members === undefined ? null : (
          <p role="alert" className="mt-1 text-xs text-err">
            {errors.members}
          </p>
        )}
      </div>
      <div className="grid grid-cols-2 items-start gap-4 max-rail:grid-cols-1">
        {model.backend === "demo" ? null : (
          <Field htmlFor="new-session-model" label="Model" aside="optional" error={errors.model}>
            <Input {...control("model", errors.model)} placeholder={model.name} maxLength={200} autoComplete="off" spellCheck={false} />
          </Field>
        )}
        <Field htmlFor="new-session-limit" label="Cost limit" aside="optional, in dollars" error={errors.limit}>
          <Input
            {...control("limit", errors.limit)}
            inputMode="decimal"
            autoComplete="off"
            placeholder="As in config.yaml"
            className="tabular-nums"
          />
        </Field>
      </div>
    </>
  );
}

const control = (name: string, error: string | undefined) => ({
  id: `new-session-${name}`,
  name,
  onKeyDown: submitOnModEnter,
  invalid: error !== undefined,
  "aria-describedby": error === undefined ? undefined : `new-session-${name}-error`,
});

/** Browsers send a form on Enter, but not all of them with Ctrl held, and none from a field of several lines. */
function submitOnModEnter(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
