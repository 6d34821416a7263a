"use client";

import type { JobDetail } from "../../../schema/job.ts";
import { visibleText } from "../../format/visible-text.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { JsonCode } from "../elements/json-code.tsx";

/** What the worker was told to do, as it was written. */
export function JobTask({ job: { task, config } }: { job: JobDetail }) {
  return (
    <section aria-labelledby="task">
      <div className="mb-2.5 flex items-center gap-2">
        <h2 id="task">Task</h2>
        {task === undefined ? null : (
          <span className="ml-auto">
            <CopyButton text={task}>Copy task</CopyButton>
          </span>
        )}
      </div>
      {task === undefined ? (
        <p className="text-ink-2">This worker does not tell what it was asked.</p>
      ) : (
        <p dir="auto" className="max-w-(--measure) text-md whitespace-pre-wrap [overflow-wrap:anywhere]">
          {visibleText(task)}
        </p>
      )}
      {config === undefined || Object.keys(config).length === 0 ? null : (
        <>
          <h3 className="mt-5 mb-1.5">Settings it was given</h3>
          <JsonCode label="Settings of the job" value={config} className="max-h-[40vh]" />
        </>
      )}
    </section>
  );
}
