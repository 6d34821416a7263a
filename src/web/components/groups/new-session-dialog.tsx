"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import { keptDraft, useDraft } from "../../live/use-draft.ts";
import { useSessionStart } from "../../live/use-session-start.ts";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { readNewSession, refusedNewSession } from "./new-session-draft.ts";
import type { NewSessionErrors } from "./new-session-draft.ts";
import { NewSessionFields } from "./new-session-fields.tsx";
import { useShell } from "./shell-context.ts";

const formId = "new-session";
/** Under which the context is kept until it is accepted or cancelled. */
const contextId = "new-session-context";

export function NewSessionDialog({ isOpen, name, model }: { isOpen: boolean; name: string; model: ModelInfo }) {
  const { close, say } = useShell();
  const [errors, setErrors] = useState<NewSessionErrors>({});
  const { start, isBusy } = useSessionStart();
  const [context, keepContext] = useDraft(contextId);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    setErrors({});
  }

  const cancel = () => {
    keepContext("");
    close();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const read = readNewSession(writtenIn(new FormData(form)));
    if ("errors" in read) return refuse(form, read.errors);
    // One that was left has another form when it is opened again.
    const isAwaited = () => form.closest("dialog[open]") !== null;
    start(read.request, {
      isAwaited,
      onStarted: () => {
        if (keptDraft(contextId) === context) keepContext("");
        if (isAwaited()) close();
        else say(`${read.request.name} is started.`);
      },
      onFailure: (failure) => {
        const found = refusedNewSession(failure);
        if (isAwaited()) refuse(form, found);
        else say(`${read.request.name}: ${Object.values(found)[0]}`, "failed");
      },
    });
  };
  const refuse = (form: HTMLFormElement, found: NewSessionErrors) => {
    setErrors(found);
    const [first = ""] = Object.keys(found);
    const field = form.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  };

  const footer = (
    <>
      <span className="text-xs text-ink-3 max-rail:hidden">
        {model.backend === "demo" ? "Demo model: scripted, no cost." : `${model.name} answers.`}
      </span>
      <Button variant="ghost" className="ml-auto" onClick={cancel}>
        Cancel
      </Button>
      <Button variant="primary" type="submit" form={formId} hotkey="Ctrl Enter" busy={isBusy}>
        Start session
      </Button>
    </>
  );
  return (
    <Dialog title="New session" isOpen={isOpen} onClose={close} footer={footer}>
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-3 pb-5">
        <NewSessionFields name={name} context={context} model={model} errors={errors} onContext={keepContext} />
      </form>
    </Dialog>
  );
}

function writtenIn(form: FormData) {
  const text = (field: string): string => {
    const value = form.get(field);
    return typeof value === "string" ? value : "";
  };
  return {
    name: text("name"),
    context: text("context"),
    model: text("model"),
    limit: text("limit"),
    members: form.getAll("members").filter((value) => typeof value === "string"),
  };
}
