import { z } from "zod";
import { workerProfile } from "../../../core/delegation/worker-profile.ts";
import { createTurns } from "../../../core/in-turn.ts";
import type { JobRunEvent, RunStore } from "../../../core/run/run-store.ts";
import { sumOfUsage } from "../../../core/run/sum-of-usage.ts";
import { JobRunId } from "../../../schema/ids.ts";
import { JobRun } from "../../../schema/run.ts";
import type { RunUsage } from "../../../schema/run.ts";
import { WorkerDefinition } from "../../../schema/worker-definition.ts";
import { appendJsonLines } from "../append-json-lines.ts";
import { defineDocument } from "../document.ts";
import { makeFolder } from "../durable-write.ts";
import type { Layout } from "../layout.ts";
import { namesIn } from "../names-in.ts";
import { readJsonLines } from "../read-json-lines.ts";
import { createLineReader } from "../read-new-lines.ts";

/** The first version had the definition in place of the profile. */
const FirstRun = JobRun.omit({ worker: true, definition: true, profile: true, startedAt: true }).extend({ profile: WorkerDefinition });

const runDocument = defineDocument(FirstRun).next(JobRun, ({ profile: definition, ...run }) => ({
  ...run,
  worker: definition.name,
  profile: workerProfile(definition, run.model.name),
  definition,
  startedAt: run.attempt === 0 ? null : run.createdAt,
}));

const Logged = z.looseObject({
  attempt: z.int(),
  at: z.string().default(""),
  type: z.string(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  costUsd: z.number().optional(),
  turns: z.number().optional(),
  isEstimate: z.boolean().optional(),
  id: z.string().optional(),
  responseId: z.string().optional(),
  text: z.string().optional(),
  content: z.unknown().optional(),
});
type Logged = z.infer<typeof Logged>;

/** A folder per run. A record that cannot be read is reported and left out. */
export async function openRunFiles({ layout, onProblem }: { layout: Layout; onProblem: (error: unknown) => void }): Promise<RunStore> {
  const runs = new Map<JobRunId, JobRun>();
  const children = new Map<JobRunId, Set<JobRunId>>();
  const open = new Set<JobRunId>();
  /** Of the runs that have not ended. */
  const usages = new Map<JobRunId, Promise<AttemptUsages>>();
  const inTurn = createTurns<JobRunId>();

  function keep(run: JobRun): void {
    runs.set(run.id, run);
    if (run.endedAt === null) open.add(run.id);
    else open.delete(run.id);
    if (run.parent !== null) children.set(run.parent, (children.get(run.parent) ?? new Set()).add(run.id));
  }

  const listed = (ids: Iterable<JobRunId>): JobRun[] => [...ids].toSorted().flatMap((id) => runs.get(id) ?? []);

  for (const name of await namesIn(layout.jobs)) {
    const { success, data: id } = JobRunId.safeParse(name);
    if (!success) continue;
    const run = await runDocument.read(layout.job(id).record).catch((error: unknown) => (onProblem(error), null));
    if (run !== null) keep(run);
  }

  const eventsOf = async (id: JobRunId): Promise<Logged[]> =>
    (await readJsonLines(layout.job(id).events, Logged)).entries.flatMap((entry) => ("value" in entry ? [entry.value] : []));

  async function readUsages(id: JobRunId): Promise<AttemptUsages> {
    const perAttempt: AttemptUsages = new Map();
    for (const event of await eventsOf(id)) noteUsage(perAttempt, event);
    return perAttempt;
  }

  async function usagesOf(id: JobRunId): Promise<AttemptUsages> {
    const known = usages.get(id) ?? inTurn(id, () => readUsages(id));
    if (open.has(id)) usages.set(id, known);
    else usages.delete(id);
    return known.catch((error: unknown) => {
      usages.delete(id);
      throw error;
    });
  }

  return {
    get: (id) => runs.get(id) ?? null,
    open: () => listed(open),
    childrenOf: (id) => listed(children.get(id) ?? []),
    async save(run) {
      const { record, work } = layout.job(run.id);
      await makeFolder(work);
      // If a new record cannot be made nothing is left, because its sender is refused.
      if (runs.has(run.id)) await runDocument.write(record, run);
      else await runDocument.create(record, run);
      keep(run);
    },
    log: (id, attempt, event) =>
      inTurn(id, async () => {
        const line = { attempt, at: new Date().toISOString(), ...event };
        await appendJsonLines(layout.job(id).events, [line], { durable: false });
        const known = await usages.get(id);
        if (known !== undefined) noteUsage(known, line);
      }),
    reader(id) {
      const read = createLineReader(layout.job(id).events);
      let next = 0;
      return async () => {
        const lines = await read();
        const first = next;
        next += lines.length;
        return lines.flatMap((line, index) => {
          const event = eventIn(line);
          return event === null ? [] : [{ at: first + index, event }];
        });
      };
    },
    async results(id) {
      const results = (await eventsOf(id)).filter(({ type }) => type === "tool_result");
      return new Map(results.map((event) => [event.id ?? "", JSON.stringify(event.content)]));
    },
    async lastText(id) {
      const said = (await eventsOf(id)).filter(({ type }) => type === "text");
      const last = said.at(-1)?.responseId;
      return said.flatMap((event) => (event.responseId === last ? [event.text ?? ""] : [])).join("");
    },
    async usage(id) {
      return [...(await usagesOf(id)).values()].map(({ usage }) => usage).reduce(sumOfUsage, nothing);
    },
    async costs(id) {
      return [...(await usagesOf(id))].map(([attempt, { at, usage }]) => ({ attempt, at, costUsd: usage.costUsd }));
    },
  };
}

const nothing: RunUsage = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** By the process, with the moment of its last figure. */
type AttemptUsages = Map<number, { at: string; usage: RunUsage }>;

type UsageEvent = { attempt: number; at: string; type: string; isEstimate?: boolean | undefined } & {
  [Key in keyof RunUsage]?: number | undefined;
};

function noteUsage(perAttempt: AttemptUsages, event: UsageEvent): void {
  if (event.type !== "usage") return;
  const { attempt, at, turns = 0, inputTokens = 0, outputTokens = 0, costUsd = 0, isEstimate } = event;
  // In logs of earlier versions the last figure counts results of tools as turns too.
  const known = isEstimate === true ? turns : (perAttempt.get(attempt)?.usage.turns ?? turns);
  perAttempt.set(attempt, { at, usage: { turns: known, inputTokens, outputTokens, costUsd } });
}

/** Leaves out a line that a crash cut off or that was broken by hand. */
function eventIn(line: string): JobRunEvent | null {
  try {
    const { success } = Logged.safeParse(JSON.parse(line));
    return success ? (JSON.parse(line) as JobRunEvent) : null; // `log` wrote it
  } catch {
    return null;
  }
}
