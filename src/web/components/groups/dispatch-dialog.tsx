"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FormEvent } from "react";
import { briefText } from "../../format/brief-text.ts";
import { jobHref } from "../../format/job-href.ts";
import { dispatchJob } from "../../live/dispatch-job.ts";
import { useBusy } from "../../live/use-busy.ts";
import { keptDraft, useDraft } from "../../live/use-draft.ts";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { readDispatch, refusedDispatch } from "./dispatch-draft.ts";
import type { DispatchErrors, JobDraft } from "./dispatch-draft.ts";
import { DispatchFields } from "./dispatch-fields.tsx";
import { useShell } from "./shell-context.ts";

const formId = "new-job";

/** Hands a task to a worker: a new one, or that of an earlier job as it was or in other words. */
export function DispatchDialog({ isOpen, draft }: { isOpen: boolean; draft: JobDraft | undefined }) {
  const shell = useShell();
  const router = useRouter();
  const [errors, setErrors] = useState<DispatchErrors>({});
  const [isBusy, begin] = useBusy();
  const taskId = draft?.again === undefined ? "new-job-task" : `job-again-${draft.again}`;
  const [task, keepTask] = useDraft(taskId);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    setErrors({});
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const text = (field: string): string => {
      const value = data.get(field);
      return typeof value === "string" ? value : "";
    };
    const worker = text("worker");
    const written = { worker, description: text("description"), task: text("task"), turns: text("turns"), cost: text("cost") };
    const read = readDispatch(written, draft);
    if ("errors" in read) return refuse(form, read.errors);
    const name = briefText(read.job.description);
    // One that was left has another form when it is opened again.
    const isLeft = () => form.closest("dialog[open]") === null;
    begin(async () => {
      try {
        const { jobId } = await dispatchJob(worker, read.job);
        if (keptDraft(taskId) === task) keepTask("");
        if (isLeft()) return shell.say(`${name} is dispatched.`);
        shell.close();
        router.push(jobHref(worker, jobId));
      } catch (failure) {
        const found = refusedDispatch(failure);
        if (isLeft()) shell.say(`${name}: ${Object.values(found)[0]}`, "failed");
        else refuse(form, found);
      }
    });
  };
  const refuse = (form: HTMLFormElement, found: DispatchErrors) => {
    setErrors(found);
    const [first = ""] = Object.keys(found);
    const field = form.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  };

  const footer = (
    <>
      <span className="text-xs text-ink-3 max-rail:hidden">It runs on its own. You can leave, and cancel it any time.</span>
      <Button variant="ghost" className="ml-auto" onClick={shell.close}>
        Close
      </Button>
      <Button variant="primary" type="submit" form={formId} hotkey="Ctrl Enter" busy={isBusy}>
        Dispatch job
      </Button>
    </>
  );
  return (
    <Dialog title={draft?.worker === undefined ? "New job" : "Dispatch again"} isOpen={isOpen} onClose={shell.close} footer={footer}>
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-3 pb-5">
        <DispatchFields draft={task === "" ? (draft ?? {}) : { ...draft, task }} errors={errors} onTask={keepTask} />
      </form>
    </Dialog>
  );
}
