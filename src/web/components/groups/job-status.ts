import type { Job, JobStatus } from "../../../schema/job.ts";
import { counted } from "../../format/figures.ts";
import type { JobGroup } from "../../live/jobs-query.ts";
import type { GlyphName } from "../elements/glyph.tsx";

export type JobLook = { status: GlyphName; word: string };

/** How a job stands. The four of the protocol have glyphs of the same names. */
export const jobLooks: Record<JobStatus, JobLook> = {
  running: { status: "running", word: "Running" },
  completed: { status: "completed", word: "Completed" },
  failed: { status: "failed", word: "Failed" },
  cancelled: { status: "cancelled", word: "Cancelled" },
};

type JobDeed = "cancel" | "again" | "hide" | "delete";

/** Why a page does not offer something for a job as it stands. What may be hidden or deleted is agreed with every worker, and refused there too. */
export const jobHindrances: Record<JobStatus, Partial<Record<JobDeed, string>>> = {
  running: { again: "It is running.", hide: "Only a job that failed can be hidden.", delete: "It is running. Cancel it first." },
  completed: { cancel: "It has ended.", hide: "Only a job that failed can be hidden." },
  failed: { cancel: "It has ended.", delete: "A failed job is kept. Hide it instead." },
  cancelled: { cancel: "It has ended.", hide: "Only a job that failed can be hidden." },
};

/** The heading above some jobs. What has ended in several ways has no glyph of its own. */
export const groupLooks: Record<JobGroup, { status: GlyphName | null; word: string }> = {
  ...jobLooks,
  waiting: { status: "waiting", word: "Waiting for you" },
  ended: { status: null, word: "Ended" },
};

/** "Asks you 2 questions". */
export const asksWords = ({ openQuestions }: Pick<Job, "openQuestions">): string => `Asks you ${counted(openQuestions, "question")}`;
