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

/** The cost of a run, or of one of its processes, when the line was written. If it has several lines the highest counts. */
export const SpendingLine = z.union([
  Spent.extend({ runId: RunId, owner: RunOwner, attempt: z.int().exactOptional() }),
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
  const known = new Map<string, SpendingLine>();
  /** By run, of all lines that are known. */
  const totals = new Map<RunId, number>();
  /** What runs of a day that was closed too early have added to its sum. */
  const addedToSums = new Map<string, number>();
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

  function addToTotal(runId: RunId, costUsd: number): void {
    totals.set(runId, (totals.get(runId) ?? 0) + costUsd);
  }

  function drop(key: string, { runId, costUsd }: SpendingLine): void {
    known.delete(key);
    addToTotal(runId, -costUsd);
    if (![...known.values()].some((each) => each.runId === runId)) totals.delete(runId);
  }

  function take(line: SpendingLine): void {
    const key = keyOf(line);
    const before = known.get(key)?.costUsd ?? 0;
    if (line.costUsd < before) return;
    known.set(key, line);
    addToTotal(line.runId, line.costUsd - before);
  }

  function sumOf(day: string): DaySpending {
    const queries = known
      .values()
      .filter((line) => line.day === day)
      .toArray();
    const costUsd = queries.reduce((sum, query) => sum + query.costUsd, 0);
    return {
      day,
      costUsd: rounded(costUsd),
      queries: new Set(queries.map(({ runId }) => runId)).size,
      isEstimate: queries.some(({ isEstimate }) => isEstimate),
    };
  }

  /** Of any day, closed or not. A clock that was ahead for a while may have closed what is today. */
  const totalOf = (day: string): DaySpending => closed?.find((each) => each.day === day) ?? sumOf(day);

  /** Closes the days before yesterday: a query that began before midnight may still add to yesterday. */
  async function closeDays(): Promise<void> {
    const moment = now();
    const yesterday = dayOf(new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() - 1));
    const over = new Set(
      known
        .values()
        .map(({ day }) => day)
        .filter((day) => day < yesterday),
    );
    if (over.size === 0 || closed === null || lines === null) return;
    const days = [...over].map(sumOf).concat(closed).toSorted(byNewest).slice(0, daysKept);
    await spendingDocument.write(layout.spendingDays, { days }, on);
    closed = days;
    for (const [key, line] of known) if (over.has(line.day)) drop(key, line);
    // Somebody may want to mend them.
    await keepBrokenLines(layout.brokenSpending, broken, on);
    broken = [];
    await writeFileDurably(layout.spending, [...known.values()].map((line) => `${JSON.stringify(line)}\n`).join(""), on);
  }

  async function write({ at, ...cost }: RunCost): Promise<void> {
    await closeDays().catch(onProblem);
    const before = known.get(keyOf(cost));
    if (before !== undefined && before.costUsd >= cost.costUsd) return;
    const moment = now();
    const day = before?.day ?? dayOf(at === undefined ? moment : new Date(at));
    if (isClosed(day)) return addToSum(day, cost);
    const line = { day, at: moment.toISOString(), ...cost };
    await appendJsonLines(layout.spending, [line], { durable: true }, on);
    take(line);
  }

  /** Of an earlier day nobody can tell any more whether the sum has it, and no limit is about it. That of today has to go on. */
  async function addToSum(day: string, { costUsd, isEstimate, ...cost }: Omit<RunCost, "at">): Promise<void> {
    const key = keyOf(cost);
    const added = addedToSums.get(key);
    const more = costUsd - (added ?? 0);
    if (closed === null || day !== dayOf(now()) || more <= 0) return;
    const days = closed.map((each) =>
      each.day === day
        ? {
            day,
            costUsd: rounded(each.costUsd + more),
            queries: each.queries + (added === undefined ? 1 : 0),
            isEstimate: each.isEstimate || isEstimate,
          }
        : each,
    );
    await spendingDocument.write(layout.spendingDays, { days }, on);
    closed = days;
    addedToSums.set(key, costUsd);
    addToTotal(cost.runId, more);
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
    costOf: (runId) => totals.get(runId) ?? null,
    today() {
      const { day, costUsd, isEstimate } = totalOf(dayOf(now()));
      return { day, costUsd, isEstimate, limit: limitNow() };
    },
    async spending() {
      const open = [...new Set(known.values().map(({ day }) => day))].map(sumOf);
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

/** A message is one line of the ledger, a job one for each of its processes. */
const keyOf = ({ runId, attempt }: Pick<RunCost, "runId" | "attempt">): string => (attempt === undefined ? runId : `${runId}#${attempt}`);
