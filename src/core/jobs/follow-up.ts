import type { DispatchJob, WorkerStatus } from "../../schema/job.ts";

type FollowUp = {
  job: Pick<WorkerStatus, "jobId" | "description" | "task" | "config" | "summary">;
  question: string;
  answer: string;
  /** What the job had found, where it came to a result. */
  found: string | null;
};

/** The job that goes on where another one could not: it carries all that the worker has to know, because the worker remembers nothing of it. */
export function followUpOf({ job, question, answer, found }: FollowUp): DispatchJob {
  const parts = [
    `This goes on from an earlier job of yours, which was called: ${job.description}`,
    job.task === undefined ? null : section("Its task was", job.task, most.task),
    section("It asked the person", question, most.question),
    section("The person answers", answer, most.answer),
    found === null ? summaryPart(job.summary) : section("What it had found", found, most.found),
    "Do the task again in the light of this answer. Take over from the earlier job what still holds, and do not ask what is answered here.",
  ];
  return {
    description: followUpDescription(job.description, question),
    task: parts.filter((part) => part !== null).join("\n\n"),
    ...(job.config === undefined || Object.keys(job.config).length === 0 ? {} : { config: job.config }),
  };
}

/** Two questions of one job have two of these: by it a follow-up is found again of which only the dispatch is known. */
export function followUpDescription(description: string, question: string): string {
  const about = cut(oneLine(description), 240);
  return `${about} (answer to: ${cut(oneLine(question), 240)})`;
}

/** Together they stay below what a task may have. */
const most = { task: 150_000, question: 20_000, answer: 100_000, found: 150_000 };

const section = (title: string, text: string, characters: number): string => `${title}:\n\n${cut(text.trim(), characters)}`;

const summaryPart = (summary: string | null): string | null =>
  summary === null ? null : section("How far it had come", summary, most.question);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const cut = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters - 1).toWellFormed()}…` : text;
