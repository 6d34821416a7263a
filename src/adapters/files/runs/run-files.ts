import { z } from "zod";
import type { RunStore } from "../../../core/run/run-store.ts";
import { RunId } from "../../../schema/ids.ts";
import { Run } from "../../../schema/run.ts";
import type { RunUsage } from "../../../schema/run.ts";
import { appendJsonLines } from "../append-json-lines.ts";
import { defineDocument } from "../document.ts";
import { makeFolder } from "../durable-write.ts";
import type { Layout } from "../layout.ts";
import { namesIn } from "../names-in.ts";
import { readJsonLines } from "../read-json-lines.ts";

const runDocument = defineDocument(Run);

const Logged = z.looseObject({
  attempt: z.int(),
  type: z.string(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  costUsd: z.number().optional(),
  turns: z.number().optional(),
  isEstimate: z.boolean().optional(),
  id: z.string().optional(),
  content: z.unknown().optional(),
});

/** A folder per run. What cannot be read is told and left out. */
export async function openRunFiles({ layout, onProblem }: { layout: Layout; onProblem: (error: unknown) => void }): Promise<RunStore> {
  const runs = new Map<RunId, Run>();
  for (const name of await namesIn(layout.jobs)) {
    const { success, data: id } = RunId.safeParse(name);
    if (!success) continue;
    const run = await runDocument.read(layout.job(id).record).catch((error: unknown) => (onProblem(error), null));
    if (run !== null) runs.set(id, run);
  }
  const eventsOf = async (id: RunId) =>
    (await readJsonLines(layout.job(id).events, Logged)).entries.flatMap((entry) => ("value" in entry ? [entry.value] : []));
  const all = () => [...runs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    get: (id) => runs.get(id) ?? null,
    open: () => all().filter(({ endedAt }) => endedAt === null),
    childrenOf: (id) => all().filter(({ parent }) => parent === id),
    async save(run) {
      const { record, work } = layout.job(run.id);
      await makeFolder(work);
      await runDocument.write(record, run);
      runs.set(run.id, run);
    },
    log: (id, attempt, event) =>
      appendJsonLines(layout.job(id).events, [{ attempt, at: new Date().toISOString(), ...event }], { durable: false }),
    async results(id) {
      const results = (await eventsOf(id)).filter(({ type }) => type === "tool_result");
      return new Map(results.map((event) => [event.id ?? "", JSON.stringify(event.content)]));
    },
    async usage(id) {
      const perAttempt = new Map<number, RunUsage>();
      for (const event of await eventsOf(id)) {
        if (event.type !== "usage") continue;
        const { attempt, turns = 0, inputTokens = 0, outputTokens = 0, costUsd = 0, isEstimate } = event;
        // In its last figure the SDK counts results of tools as turns too.
        const known = isEstimate === true ? turns : (perAttempt.get(attempt)?.turns ?? turns);
        perAttempt.set(attempt, { turns: known, inputTokens, outputTokens, costUsd });
      }
      const sum = (key: keyof RunUsage) => [...perAttempt.values()].reduce((total, usage) => total + usage[key], 0);
      return { turns: sum("turns"), inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens"), costUsd: sum("costUsd") };
    },
  };
}
