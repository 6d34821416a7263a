"use client";

import type { ReactNode } from "react";
import type { JobDetail } from "../../../schema/job.ts";
import { sizeOf } from "../../../schema/size.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { ShownArtifact } from "../../live/use-artifact-text.ts";
import { artifactHash } from "../../live/use-open-artifact.ts";
import { ClockTime } from "../elements/clock-time.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { Facts } from "../elements/facts.tsx";
import { Icon } from "../elements/icon.tsx";
import { artifactIcon } from "./artifact-kind.ts";
import { CostMeter, TurnsMeter } from "./job-meters.tsx";

type JobFactsProps = { job: JobDetail; artifacts: readonly ShownArtifact[] };

/** Beside a job: what it has used of what it may use, what it is, and the files it has written. */
export function JobFacts({ job, artifacts }: JobFactsProps) {
  const model = job.config?.["model"];
  return (
    <aside aria-label="Job facts" className="grid grid-cols-[minmax(0,1fr)] gap-5 column:sticky column:top-0">
      <Part title={job.status === "running" ? "Limits" : "Spent"}>
        <div className="grid gap-[11px]">
          <TurnsMeter usage={job.usage} />
          <CostMeter usage={job.usage} />
        </div>
      </Part>
      <Part title="Facts">
        <Facts
          of={[
            {
              label: "Id",
              value: (
                <span className="flex items-start gap-1">
                  <code className="min-w-0 bg-transparent! p-0! text-[12px]">{job.jobId}</code>
                  <CopyButton isBare text={job.jobId}>
                    Copy id
                  </CopyButton>
                </span>
              ),
            },
            { label: "Started", value: <ClockTime at={job.startedAt} /> },
            ...(job.completedAt === null ? [] : [{ label: "Ended", value: <ClockTime at={job.completedAt} /> }]),
            ...(typeof model === "string" ? [{ label: "Model", value: visibleText(model) }] : []),
          ]}
        />
      </Part>
      <Part title="Artifacts">
        {artifacts.length === 0 ? (
          <p className="text-xs text-ink-3">No files.</p>
        ) : (
          <ul>
            {artifacts.map((artifact) => (
              <JobFile key={artifact.path} artifact={artifact} isOffered={job.offers.artifacts} />
            ))}
          </ul>
        )}
      </Part>
    </aside>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="border-line not-first:border-t not-first:pt-4">
    <h2 className="mb-2">{title}</h2>
    {children}
  </section>
);

function JobFile({ artifact, isOffered }: { artifact: ShownArtifact; isOffered: boolean }) {
  const content = (
    <>
      <Icon of={artifactIcon(artifact)} className="size-4 text-ink-2" />
      <code className="min-w-0 truncate bg-transparent! p-0!">
        <bdi>{visibleText(artifact.path.replace(/^artifacts\//, ""))}</bdi>
      </code>
      <span className="ml-auto flex-none text-xs text-ink-3 tabular-nums">{artifact.size === null ? "" : sizeOf(artifact.size)}</span>
    </>
  );
  // Wider to the left alone: to the right is the edge of the page.
  const look = "-ml-1.5 flex min-h-[30px] items-center gap-2 rounded-1 pl-1.5 max-rail:min-h-11";
  return (
    <li>
      {isOffered ? (
        <a
          href={artifactHash(artifact.path)}
          title={visibleText(artifact.path)}
          className={`${look} hover:bg-hover focus-visible:-outline-offset-2`}
        >
          {content}
        </a>
      ) : (
        <span className={look}>{content}</span>
      )}
    </li>
  );
}
