"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { createHallClient } from "../../../client/hall-client.ts";
import type { ModelInfo } from "../../../schema/health.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { Field } from "../elements/field.tsx";
import { Input } from "../elements/input.tsx";
import { ChooseMembers } from "./choose-members.tsx";
import { useShell } from "./shell-context.ts";

const formId = "new-session";

export function NewSessionDialog({ isOpen, name, model }: { isOpen: boolean; name: string; model: ModelInfo }) {
  const { close } = useShell();
  const router = useRouter();
  const [error, setError] = useState<string>();
  const [isBusy, start] = useTransition();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const wanted = { name: textOf(form, "name"), model: textOf(form, "model"), members: textsOf(form, "member") };
    if (wanted.name === "") return setError("Give it a name: it is how you find it again.");
    start(async () => {
      try {
        const session = await createHallClient({ baseUrl: "" }).sessions.create({
          name: wanted.name,
          members: wanted.members,
          ...(wanted.model === "" ? {} : { model: wanted.model }),
        });
        setError(undefined);
        close();
        router.push(`/sessions/${session.id}`);
      } catch (failure) {
        setError(sentenceOf(failure));
      }
    });
  };

  const footer = (
    <>
      <span className="text-xs text-ink-3 max-rail:hidden">
        {model.backend === "demo" ? "Demo model: scripted, no cost." : `${model.name} answers.`}
      </span>
      <Button variant="ghost" className="ml-auto" onClick={close}>
        Cancel
      </Button>
      <Button variant="primary" type="submit" form={formId} hotkey="Ctrl Enter" busy={isBusy}>
        Start session
      </Button>
    </>
  );
  return (
    <Dialog title="New session" isOpen={isOpen} onClose={close} footer={footer}>
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4 px-5 pt-3 pb-5">
        <Field htmlFor="new-session-name" label="Name" error={error}>
          <Input
            id="new-session-name"
            name="name"
            defaultValue={name}
            maxLength={200}
            data-first-focus
            autoComplete="off"
            onKeyDown={submitOnModEnter}
            placeholder="What it is about, in a few words"
            invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : "new-session-name-error"}
          />
        </Field>
        <ChooseMembers name="member" />
        {model.backend === "demo" ? null : (
          <Field htmlFor="new-session-model" label="Model" aside="optional" hint="Left empty, the hall's own choice answers.">
            <Input
              id="new-session-model"
              name="model"
              placeholder={model.name}
              maxLength={200}
              autoComplete="off"
              onKeyDown={submitOnModEnter}
              aria-describedby="new-session-model-hint"
            />
          </Field>
        )}
      </form>
    </Dialog>
  );
}

function textOf(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === "string" ? value.trim() : "";
}

const textsOf = (form: FormData, field: string): string[] => form.getAll(field).filter((value) => typeof value === "string");

/** Browsers send a form on Enter, but not all of them with Ctrl held. */
function submitOnModEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
