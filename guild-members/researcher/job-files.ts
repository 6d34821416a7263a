import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { readTextOrNull, syncFolder, systemCode, writeDurably, writeNew } from "./durable-file.ts";
import type { JobDecision, JobMeta } from "./job.ts";
import { readQuestions, writeQuestions } from "./question-list.ts";
import type { JobConfig } from "./settings.ts";
import { writeEvent } from "./timeline.ts";

/** The files of jobs, and what is in them: `jobs/<id>/…`. Names of jobs have been checked before they come here. */
export type JobFiles = ReturnType<typeof createJobFiles>;

export function createJobFiles(jobs: string) {
  const folder = (id: string): string => join(jobs, id);
  const file = (id: string, name: string): string => join(jobs, id, name);

  return {
    folder,
    timeline: (id: string) => file(id, "timeline.jsonl"),
    /** Home, configuration and temporary files of the SDK's process. */
    sdkFolder: (id: string) => file(id, "sdk"),

    /**
     * A job is there as a whole or not at all: its folder gets its name when everything in it is written. `notice` is what whoever
     * dispatched it should know at once.
     */
    async create(meta: JobMeta, task: string, config: JobConfig, notice: string | null): Promise<void> {
      const growing = join(jobs, `${unfinished}${meta.id}`);
      const contents = { "task.md": task, "config.json": json(config), "timeline.jsonl": begin(meta, notice), "meta.json": json(meta) };
      try {
        await mkdir(growing, { mode: 0o700 });
        await Promise.all(Object.entries(contents).map(([name, content]) => writeNew(join(growing, name), content)));
        await syncFolder(growing);
        await rename(growing, folder(meta.id));
      } catch (error) {
        await rm(growing, { recursive: true, force: true });
        throw error;
      }
      await syncFolder(jobs);
    },

    /** Gone at once for everybody who looks; the disk is cleared afterwards. */
    async remove(id: string): Promise<void> {
      const leaving = join(jobs, `${unfinished}${id}`);
      await rename(folder(id), leaving);
      await syncFolder(jobs);
      await rm(leaving, { recursive: true, force: true });
    },

    writeMeta: (meta: JobMeta) => writeDurably(file(meta.id, "meta.json"), json(meta)),
    readTask: async (id: string) => (await readTextOrNull(file(id, "task.md"))) ?? "",
    /** As it was dispatched, maybe to an earlier version of this member. */
    readConfig: (id: string) => readJson(file(id, "config.json"), Config, {}),
    writeSummary: (id: string, summary: string) => writeDurably(file(id, "status.md"), `${summary}\n`),
    readQuestions: async (id: string) => readQuestions((await readTextOrNull(file(id, "questions.md"))) ?? ""),
    writeQuestions: (id: string, questions: string[]) => writeDurably(file(id, "questions.md"), writeQuestions(questions)),
    readDecisions: (id: string) => readJson(file(id, "decisions.json"), Decisions, []),
    writeDecisions: (id: string, decisions: JobDecision[]) => writeDurably(file(id, "decisions.json"), json(decisions)),
    writeResult: (id: string, output: string) => writeDurably(file(id, "result.md"), output),
    readResult: (id: string) => readTextOrNull(file(id, "result.md")),
    /** For jobs that are not resumed any more: nobody else has a use for their sessions. */
    removeSdkFolder: (id: string) => rm(file(id, "sdk"), { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** What a crash left of something that was being made or removed begins like this, and is cleared at the next start. */
export const unfinished = ".unfinished-";

function begin(meta: JobMeta, notice: string | null): string {
  const dispatched = writeEvent({ type: "status", status: "running", text: "Dispatched." }, meta.startedAt, 0);
  if (notice === null) return dispatched;
  return dispatched + writeEvent({ type: "progress", summary: notice }, meta.startedAt, Buffer.byteLength(dispatched));
}

/** Everything the list of jobs is made of, read in one go before anybody is answered. */
export async function loadJobs(jobs: string): Promise<{ meta: JobMeta; summary: string | null }[]> {
  await mkdir(jobs, { recursive: true, mode: 0o700 });
  const entries = readdirSync(jobs, { withFileTypes: true });
  const left = entries.filter(({ name }) => name.startsWith(unfinished));
  await Promise.all(left.map(({ name }) => rm(join(jobs, name), { recursive: true, force: true })));
  return entries
    .filter((entry) => entry.isDirectory() && z.uuid().safeParse(entry.name).success)
    .map(({ name }) => ({ meta: loadMeta(jobs, name), summary: loadSummary(jobs, name) }))
    .toSorted((a, b) => (a.meta.startedAt < b.meta.startedAt ? -1 : 1));
}

/** A job whose metadata somebody broke stays in the list, says so, and is never written to. */
function loadMeta(jobs: string, id: string): JobMeta {
  try {
    const meta = Meta.parse(JSON.parse(readFileSync(join(jobs, id, "meta.json"), "utf8")));
    if (meta.id !== id) throw new Error(`it is of ${meta.id}`);
    return meta;
  } catch (error) {
    return {
      ...newMeta(id, "(a job that cannot be read)", new Date(0)),
      status: "failed",
      error: `meta.json of this job cannot be read: ${wordsOf(error)}`,
    };
  }
}

/** A job without a summary is still a job, whatever became of the file. */
function loadSummary(jobs: string, id: string): string | null {
  try {
    return readFileSync(join(jobs, id, "status.md"), "utf8").trim() || null;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") console.error(`status.md of job ${id} cannot be read:`, error);
    return null;
  }
}

export const newMeta = (id: string, description: string, now: Date): JobMeta => ({
  version: 1,
  id,
  status: "running",
  description,
  startedAt: now.toISOString(),
  completedAt: null,
  error: null,
  attempt: 0,
  interruptions: 0,
  runner: null,
  agent: null,
  openQuestions: 0,
  usage: { turns: 0, costUsd: 0, maxTurns: null, maxBudgetUsd: null },
  artifacts: null,
});

const Process = z.object({ pid: z.int().positive(), started: z.string() });
const Agent = Process.extend({ folder: z.string().optional() });

const Meta = z.object({
  version: z.literal(1),
  id: z.string(),
  status: z.enum(["running", "completed", "failed", "cancelled"]),
  description: z.string(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  error: z.string().nullable(),
  attempt: z.int(),
  interruptions: z.int(),
  runner: Process.nullable(),
  agent: Agent.nullable(),
  openQuestions: z.int(),
  usage: z.object({ turns: z.number(), costUsd: z.number(), maxTurns: z.number().nullable(), maxBudgetUsd: z.number().nullable() }),
  artifacts: z.array(z.string()).nullable(),
}) satisfies z.ZodType<JobMeta>;

const Config = z.record(z.string(), z.unknown());
const Decisions = z.array(z.object({ question: z.string(), decision: z.string(), reasoning: z.string() }));

async function readJson<Value>(path: string, shape: z.ZodType<Value>, otherwise: Value): Promise<Value> {
  const text = await readTextOrNull(path);
  if (text === null) return otherwise;
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${basename(path)} of this job cannot be read any more: ${wordsOf(error)}`, { cause: error });
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
