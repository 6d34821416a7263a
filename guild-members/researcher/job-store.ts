import { randomUUID } from "node:crypto";
import { systemCode } from "./durable-file.ts";
import { createJobFiles, loadJobs, newMeta } from "./job-files.ts";
import type { JobFiles } from "./job-files.ts";
import type { JobMeta, JobSettings, JobStatus, NewJobEvent } from "./job.ts";
import { unknownJob } from "./rpc-error.ts";
import { JobConfig, settingsOf } from "./settings.ts";
import { appendEvent } from "./timeline.ts";

/** What is kept in memory of a job, so that listing many does not read their files. Everything else stays on disk. */
export type KnownJob = { meta: JobMeta; summary: string | null };

export type JobStore = {
  files: JobFiles;
  /** Newest first. */
  list(): KnownJob[];
  /** Undefined for whatever is no id of a job here, so an id that is known can be a path. */
  find(id: string): KnownJob | undefined;
  /** The job is durable when this resolves. `notice` is told at once, before anything else happens. */
  create(description: string, task: string, config: JobConfig, notice?: string | null): Promise<string>;
  settings(id: string): Promise<JobSettings>;
  /** One after the other for each job, on disk first, then in memory. */
  update(id: string, change: (job: KnownJob) => Promise<Partial<JobMeta>>): Promise<void>;
  setSummary(id: string, summary: string): Promise<void>;
  /** Until the job has ended: its end is the last that is told. */
  addEvent(id: string, event: NewJobEvent): Promise<void>;
  /** Ends a job, once: false if it has ended before. */
  finish(id: string, status: Ended, error?: string): Promise<boolean>;
  /**
   * For a job whose end cannot be written: it has ended for whoever asks, and the record follows as soon as there is room for it.
   * A member that starts before that finds the job interrupted, and takes it up again.
   */
  lose(id: string, status: Ended, error: string | null): void;
  remove(id: string): Promise<void>;
};

type Ended = Exclude<JobStatus, "running">;
type Entry = KnownJob & { last: Promise<unknown>; timelineSize: number | null };

export async function openJobStore(folder: string, defaults: JobSettings, now = () => new Date(), retryMs = 10_000): Promise<JobStore> {
  const files = createJobFiles(folder);
  const entries = new Map<string, Entry>();
  const remember = (job: KnownJob): void => void entries.set(job.meta.id, { ...job, last: Promise.resolve(), timelineSize: null });
  for (const job of await loadJobs(folder)) remember(job);

  const known = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry === undefined) throw unknownJob(id);
    return entry;
  };

  /** Whatever changes a job waits for what changed it before. */
  const inTurn = async <Result>(id: string, work: (entry: Entry) => Promise<Result>): Promise<Result> => {
    const entry = known(id);
    const turn = entry.last.then(() => work(known(id)));
    entry.last = turn.catch(() => undefined);
    return turn;
  };

  const write = async (entry: Entry, change: Partial<JobMeta>): Promise<void> => {
    if (Object.keys(change).length === 0) return;
    const meta = { ...entry.meta, ...change };
    await files.writeMeta(meta);
    entry.meta = meta;
  };

  const tell = async (entry: Entry, event: NewJobEvent): Promise<void> => {
    const size = entry.timelineSize;
    entry.timelineSize = null;
    entry.timelineSize = await appendEvent(files.timeline(entry.meta.id), event, now().toISOString(), size);
  };

  const writeLater = (id: string): void => {
    const write = async (entry: Entry): Promise<void> => {
      await files.writeMeta(entry.meta);
      if (entry.meta.status !== "running") await tell(entry, endOf(entry.meta.status, entry.meta.error));
    };
    const retry = async (): Promise<void> => {
      if (!entries.has(id)) return;
      await inTurn(id, write).catch((error: unknown) => {
        // Where its folder is gone, there is nothing left to record.
        if (systemCode(error) !== "ENOENT") writeLater(id);
      });
    };
    setTimeout(() => void retry(), retryMs).unref();
  };

  return {
    files,
    list: () => [...entries.values()].toReversed(),
    find: (id) => entries.get(id),
    async create(description, task, config, notice = null) {
      const { maxTurns, maxBudgetUsd } = settingsOf(config, defaults);
      const meta = { ...newMeta(randomUUID(), description, now()), usage: { turns: 0, costUsd: 0, maxTurns, maxBudgetUsd } };
      await files.create(meta, task, config, notice);
      remember({ meta, summary: null });
      return meta.id;
    },
    // What an earlier version took and this one does not know is passed over: the job was accepted.
    settings: async (id) => settingsOf(JobConfig.strip().parse(await files.readConfig(id)), defaults),
    update: (id, change) => inTurn(id, async (entry) => write(entry, await change(entry))),
    setSummary: (id, summary) =>
      inTurn(id, async (entry) => {
        await files.writeSummary(id, summary);
        entry.summary = summary;
        await tell(entry, { type: "progress", summary });
      }),
    addEvent: (id, event) => inTurn(id, async (entry) => (entry.meta.status === "running" ? tell(entry, event) : undefined)),
    finish: (id, status, error) =>
      inTurn(id, async (entry) => {
        if (entry.meta.status !== "running") return false;
        const meta = { ...entry.meta, status, error: error ?? null, completedAt: now().toISOString() };
        await files.writeMeta(meta);
        // Whoever sees that a job has ended finds its whole timeline.
        await tell(entry, endOf(status, meta.error)).finally(() => (entry.meta = meta));
        return true;
      }),
    lose(id, status, error) {
      const entry = known(id);
      if (entry.meta.status !== "running") return;
      entry.meta = { ...entry.meta, status, error, completedAt: now().toISOString(), runner: null, agent: null };
      writeLater(id);
    },
    remove: (id) =>
      inTurn(id, async () => {
        await files.remove(id);
        entries.delete(id);
      }),
  };
}

const endOf = (status: Ended, error: string | null): NewJobEvent => ({ type: "status", status, text: error ?? endings[status] });

const endings: Record<Ended, string> = {
  completed: "Completed.",
  cancelled: "Cancelled.",
  failed: "Failed.",
};
