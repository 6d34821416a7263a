"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { FormEvent } from "react";
import { jobHref } from "../../format/job-href.ts";
import { dispatchJob } from "../../live/dispatch-job.ts";
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
  const [isBusy, start] = useTransition();

  const leave = () => {
    setErrors({});
    shell.close();
  };
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
    start(async () => {
      try {
        const { jobId } = await dispatchJob(worker, read.job);
        leave();
        router.push(jobHref(worker, jobId));
      } catch (failure) {
        refuse(form, refusedDispatch(failure));
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
      <Button variant="ghost" className="ml-auto" onClick={leave}>
        Close
      </Button>
      <Button variant="primary" type="submit" form={formId} hotkey="Ctrl Enter" busy={isBusy}>
        Dispatch job
      </Button>
    </>
  );
  return (
    <Dialog title={draft?.worker === undefined ? "New job" : "Dispatch again"} isOpen={isOpen} onClose={leave} footer={footer}>
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-3 pb-5">
        <DispatchFields draft={draft ?? {}} errors={errors} />
      </form>
    </Dialog>
  );
}
