"use client";

import type { KeyboardEvent } from "react";
import { useWorkers } from "../../live/use-workers.ts";
import { Banner } from "../elements/banner.tsx";
import { Field } from "../elements/field.tsx";
import { Input, Select, TextArea } from "../elements/input.tsx";
import { limitsOf } from "./dispatch-draft.ts";
import type { DispatchErrors, JobDraft } from "./dispatch-draft.ts";

type DispatchFieldsProps = {
  draft: JobDraft;
  errors: DispatchErrors;
  /** The task as it is written. */
  onTask: (task: string) => void;
};

/** Who is to do what, and how far it may go. */
export function DispatchFields({ draft, errors, onTask }: DispatchFieldsProps) {
  const workers = useWorkers();
  // Of a job whose worker is not there any more nobody knows who else could do it: a person chooses.
  const hasLeft = draft.worker !== undefined && !workers.some(({ name }) => name === draft.worker);
  const chosen = hasLeft ? "" : (draft.worker ?? workers.find(({ status }) => status === "connected")?.name ?? "");
  const limits = limitsOf(draft);
  return (
    <>
      {errors.form === undefined ? null : (
        <div role="alert">
          <Banner title="It could not be dispatched.">{errors.form}</Banner>
        </div>
      )}
      <Field
        htmlFor="new-job-worker"
        label="Worker"
        error={errors.worker}
        {...(workers.length === 0 ? { hint: "No member takes jobs. Make one with guild-hall new worker and a name." } : {})}
      >
        {/* A browser chooses the next one by itself where the chosen one goes: then it begins anew. */}
        <Select key={hasLeft ? "left" : "there"} {...control("worker", errors.worker, workers.length === 0)} defaultValue={chosen}>
          {chosen === "" ? <option value="">{hasLeft ? "Its worker is gone: choose another" : "Nobody is ready"}</option> : null}
          {workers.map(({ name, displayName, status }) => (
            <option key={name} value={name} disabled={status !== "connected" && name !== chosen}>
              {status === "connected" ? displayName : `${displayName}, not connected`}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        htmlFor="new-job-task"
        label="Task"
        error={errors.task}
        hint="All that the worker gets to know. It cannot ask back before it begins."
      >
        <TextArea
          {...control("task", errors.task, true)}
          defaultValue={draft.task ?? ""}
          onChange={(event) => onTask(event.target.value)}
          rows={6}
          data-first-focus
          placeholder="What it is to find out or do, for whom, and how the result should look"
          className="max-h-[40vh]"
        />
      </Field>
      <Field htmlFor="new-job-description" label="Description" aside="optional, else as its task begins" error={errors.description}>
        <Input
          {...control("description", errors.description)}
          defaultValue={draft.description ?? ""}
          maxLength={500}
          autoComplete="off"
          placeholder="What it is called in the list"
        />
      </Field>
      <div className="grid grid-cols-2 items-start gap-4 max-rail:grid-cols-1">
        <Field htmlFor="new-job-turns" label="Most turns" aside="optional" error={errors.turns}>
          <Input
            {...control("turns", errors.turns)}
            defaultValue={limits.turns}
            inputMode="numeric"
            autoComplete="off"
            placeholder="As the worker has it"
            className="tabular-nums"
          />
        </Field>
        <Field htmlFor="new-job-cost" label="Cost limit" aside="optional, in dollars" error={errors.cost}>
          <Input
            {...control("cost", errors.cost)}
            defaultValue={limits.cost}
            inputMode="decimal"
            autoComplete="off"
            placeholder="As the worker has it"
            className="tabular-nums"
          />
        </Field>
      </div>
    </>
  );
}

const control = (name: string, error: string | undefined, hasHint = false) => ({
  id: `new-job-${name}`,
  name,
  onKeyDown: submitOnModEnter,
  invalid: error !== undefined,
  "aria-describedby":
    [...(hasHint ? [`new-job-${name}-hint`] : []), ...(error === undefined ? [] : [`new-job-${name}-error`])].join(" ") || undefined,
});

/** Browsers send a form on Enter, but not all of them with Ctrl held, and none from a field of several lines. */
function submitOnModEnter(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
