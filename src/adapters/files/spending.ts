import { z } from "zod";
import { createTurns } from "../../core/in-turn.ts";
import { dayOf } from "../../core/run/spending.ts";
import type { RunCost, SpendingLedger } from "../../core/run/spending.ts";
import { HallError } from "../../schema/hall-error.ts";
import { MessageId, RunId, SessionId } from "../../schema/ids.ts";
import { RunOwner } from "../../schema/run.ts";
import { DaySpending } from "../../schema/spending.ts";
import type { DayLimit } from "../../schema/spending.ts";
import { appendJsonLines, keepBrokenLines } from "./append-json-lines.ts";
import { disk } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { defineDocument } from "./document.ts";
import { writeFileDurably } from "./durable-write.ts";
import type { Layout } from "./layout.ts";
import { brokenLines, readJsonLines, tornLine } from "./read-json-lines.ts";
import type { BrokenLine } from "./read-json-lines.ts";

const Spent = z.object({ day: z.iso.date(), at: z.iso.datetime(), costUsd: z.number().nonnegative(), isEstimate: z.boolean() });

/** The cost of a run when the line was written. If a run has several lines the highest counts. */
export const SpendingLine = z.union([
  Spent.extend({ runId: RunId, owner: RunOwner }),
  // Written by earlier versions, for which every run was a message.
  Spent.extend({ messageId: MessageId, sessionId: SessionId }).transform(({ messageId, sessionId, ...spent }) => ({
    ...spent,
    runId: messageId,
    owner: { kind: "session" as const, id: sessionId },
  })),
]);
type SpendingLine = z.infer<typeof SpendingLine>;

/** Days that are over: their queries are no longer kept one by one. */
export const spendingDocument = defineDocument(z.object({ days: z.array(DaySpending) }));

const perDayUsd = z.number().positive().nullable();
export const limitDocument = defineDocument(
  z.object({ today: z.object({ day: z.iso.date(), perDayUsd }).nullable(), always: z.object({ perDayUsd }).nullable() }),
);

export type LedgerDeps = {
  layout: Pick<Layout, "spending" | "brokenSpending" | "spendingDays" | "dayLimit">;
  /** From config.yaml; null is no limit. */
  limits: { perDayUsd: number | null; perSessionUsd: number | null };
  now?: () => Date;
  onProblem?: (error: unknown) => void;
  disk?: Disk;
};

const daysKept = 400;

/**
 * The ledger as files: a line for each query of today and yesterday, and a sum for each day before. A day that has a sum is
 * closed, and lines of it are void: so a crash between writing the sum and dropping the lines counts nothing twice.
 */
export async function openSpendingLedger(deps: LedgerDeps): Promise<SpendingLedger> {
  const { layout, limits, now = () => new Date(), onProblem = () => undefined, disk: on = disk } = deps;
  const unlessBroken = async <T>(reading: Promise<T>): Promise<T | null> =>
    reading.catch((error: unknown) => {
      onProblem(error);
      return null;
    });
  const kept = await unlessBroken(spendingDocument.read(layout.spendingDays).then((found) => found ?? { days: [] }));
  /** Null where somebody broke the file: it stays as it is, and no day is closed. */
  let closed = kept?.days ?? null;
  let override = (await unlessBroken(limitDocument.read(layout.dayLimit))) ?? { today: null, always: null };
  const byRun = new Map<RunId, SpendingLine>();
  /** What runs of a day that was closed too early have added to its sum. */
  const addedToSums = new Map<RunId, number>();
  const isClosed = (day: string): boolean => closed?.some((each) => each.day === day) === true;
  const inTurn = createTurns<"write">();

  /** Null where it cannot be read: then no day is closed, since that would write over what is in it. */
  const lines = await unlessBroken(readJsonLines(layout.spending, SpendingLine));
  for (const entry of lines?.entries ?? []) if ("value" in entry && !isClosed(entry.value.day)) take(entry.value);
  let broken = brokenLines(lines?.entries ?? []);
  broken.forEach(sayBroken);
  if (lines !== null && lines.torn !== null) onProblem(tornLine(layout.spending, lines.torn));

  function sayBroken({ line, problem }: BrokenLine): void {
    const sentence = `${layout.spending} line ${line} ${problem}. It is not counted, and will be kept in ${layout.brokenSpending}.`;
    onProblem(new HallError("file_broken", sentence));
  }

  function take(line: SpendingLine): void {
    if (line.costUsd >= (byRun.get(line.runId)?.costUsd ?? 0)) byRun.set(line.runId, line);
  }

  function sumOf(day: string): DaySpending {
    const queries = byRun
      .values()
      .filter((line) => line.day === day)
      .toArray();
    const costUsd = queries.reduce((sum, query) => sum + query.costUsd, 0);
    return { day, costUsd: rounded(costUsd), queries: queries.length, isEstimate: queries.some(({ isEstimate }) => isEstimate) };
  }

  /** Of any day, closed or not. A clock that was ahead for a while may have closed what is today. */
  const totalOf = (day: string): DaySpending => closed?.find((each) => each.day === day) ?? sumOf(day);

  /** Closes the days before yesterday: a query that began before midnight may still add to yesterday. */
  async function closeDays(): Promise<void> {
    const moment = now();
    const yesterday = dayOf(new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() - 1));
    const over = new Set(
      byRun
        .values()
        .map(({ day }) => day)
        .filter((day) => day < yesterday),
    );
    if (over.size === 0 || closed === null || lines === null) return;
    const days = [...over].map(sumOf).concat(closed).toSorted(byNewest).slice(0, daysKept);
    await spendingDocument.write(layout.spendingDays, { days }, on);
    closed = days;
    for (const [id, { day }] of byRun) if (over.has(day)) byRun.delete(id);
    // Somebody may want to mend them.
    await keepBrokenLines(layout.brokenSpending, broken, on);
    broken = [];
    await writeFileDurably(layout.spending, [...byRun.values()].map((line) => `${JSON.stringify(line)}\n`).join(""), on);
  }

  async function write({ runId, owner, costUsd, isEstimate, at }: RunCost): Promise<void> {
    await closeDays().catch(onProblem);
    const known = byRun.get(runId);
    if (known !== undefined && known.costUsd >= costUsd) return;
    const moment = now();
    const day = known?.day ?? dayOf(at === undefined ? moment : new Date(at));
    if (isClosed(day)) return addToSum(day, { runId, costUsd, isEstimate });
    const line = { day, at: moment.toISOString(), runId, owner, costUsd, isEstimate };
    await appendJsonLines(layout.spending, [line], { durable: true }, on);
    take(line);
  }

  /** Of an earlier day nobody can tell any more whether the sum has it, and no limit is about it. That of today has to go on. */
  async function addToSum(day: string, { runId, costUsd, isEstimate }: Omit<RunCost, "owner" | "at">): Promise<void> {
    const known = addedToSums.get(runId);
    const more = costUsd - (known ?? 0);
    if (closed === null || day !== dayOf(now()) || more <= 0) return;
    const days = closed.map((each) =>
      each.day === day
        ? {
            day,
            costUsd: rounded(each.costUsd + more),
            queries: each.queries + (known === undefined ? 1 : 0),
            isEstimate: each.isEstimate || isEstimate,
          }
        : each,
    );
    await spendingDocument.write(layout.spendingDays, { days }, on);
    closed = days;
    addedToSums.set(runId, costUsd);
  }

  function limitNow(): DayLimit {
    if (override.today?.day === dayOf(now())) return { perDayUsd: override.today.perDayUsd, from: "today" };
    return override.always === null ? { perDayUsd: limits.perDayUsd, from: "config" } : { ...override.always, from: "always" };
  }

  const setOverride = (change: () => typeof override): Promise<DayLimit> =>
    inTurn("write", async () => {
      // Throws where somebody broke the file: it stays as it is.
      await limitDocument.read(layout.dayLimit);
      const next = change();
      await limitDocument.write(layout.dayLimit, next, on);
      override = next;
      return limitNow();
    });

  await closeDays().catch(onProblem);

  return {
    record: (cost) => inTurn("write", () => write(cost)),
    costOf: (runId) => byRun.get(runId)?.costUsd ?? addedToSums.get(runId) ?? null,
    today() {
      const { day, costUsd, isEstimate } = totalOf(dayOf(now()));
      return { day, costUsd, isEstimate, limit: limitNow() };
    },
    async spending() {
      const open = [...new Set(byRun.values().map(({ day }) => day))].map(sumOf);
      return {
        today: totalOf(dayOf(now())),
        limit: limitNow(),
        perSessionUsd: limits.perSessionUsd,
        days: [...open, ...(closed ?? [])].toSorted(byNewest),
      };
    },
    setLimit: ({ perDayUsd: usd, until }) =>
      setOverride(() =>
        until === "today" ? { ...override, today: { day: dayOf(now()), perDayUsd: usd } } : { today: null, always: { perDayUsd: usd } },
      ),
    clearLimit: () => setOverride(() => ({ today: null, always: null })),
  };
}

const byNewest = (a: DaySpending, b: DaySpending): number => (a.day < b.day ? 1 : -1);

/** Sums of binary fractions are a little off; nobody is charged less than a millionth of a dollar. */
const rounded = (usd: number): number => Math.round(usd * 1e6) / 1e6;
