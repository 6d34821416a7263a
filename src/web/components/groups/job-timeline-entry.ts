import type { JobDetail, JobEvent } from "../../../schema/job.ts";

type Shown<Event> = Event extends { type: "text" | "tool_use" | "tool_result" }
  ? never
  : Event extends JobEvent
    ? Omit<Event, "id" | "at"> & { id: number | string; at: string | null }
    : never;

/** What a timeline shows: the events of a job without its transcript. What only its status tells has no time. */
export type TimelineEntry = Shown<JobEvent>;

/** The events themselves: a row whose entry is the same as before is not drawn again. */
export const entriesOf = (events: readonly JobEvent[]): TimelineEntry[] =>
  events.flatMap((event): TimelineEntry[] =>
    event.type === "text" || event.type === "tool_use" || event.type === "tool_result" ? [] : [event],
  );

/** The same as far as a worker without events tells it. */
export function entriesOfStatus(job: JobDetail): TimelineEntry[] {
  const begun: TimelineEntry = { id: "begun", at: job.startedAt, type: "status", status: "running", text: "Dispatched" };
  const decisions = (job.decisions ?? []).map((decision, at): TimelineEntry => ({
    id: `decision ${at}`,
    at: null,
    type: "decision",
    ...decision,
  }));
  const questions = job.asked.map(({ question }, at): TimelineEntry => ({ id: `question ${at}`, at: null, type: "question", question }));
  const progress: TimelineEntry[] = job.summary === null ? [] : [{ id: "summary", at: null, type: "progress", summary: job.summary }];
  const ended: TimelineEntry[] =
    job.status === "running" ? [] : [{ id: "ended", at: job.completedAt, type: "status", status: job.status, text: job.error ?? "" }];
  return [begun, ...decisions, ...questions, ...progress, ...ended];
}

/** One sentence for somebody who hears it. */
export function sentenceOfEntry(entry: TimelineEntry): string {
  switch (entry.type) {
    case "status":
      return entry.text === "" ? `The job is ${entry.status}.` : entry.text;
    case "progress":
      return `Progress: ${entry.summary}`;
    case "question":
      return `The worker asks: ${entry.question}`;
    case "decision":
      return `Decision: ${entry.decision}`;
    case "artifact":
      return `A file was written: ${entry.path}`;
    case "memory":
      return `Something was remembered: ${entry.key}`;
  }
}
