import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createDyingDisk, createSmallDisk } from "./failing-disk.testing.ts";
import { createLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { openSpendingLedger } from "./spending.ts";
import type { LedgerDeps } from "./spending.ts";

const noon = (day: number) => new Date(2026, 0, day, 12);
const sessionId = newSessionId();
const cost = (costUsd: number, more: { runId?: ReturnType<typeof newMessageId>; isEstimate?: boolean } = {}) => ({
  runId: newMessageId(),
  owner: { kind: "session" as const, id: sessionId },
  isEstimate: false,
  ...more,
  costUsd,
});

async function home(): Promise<Layout> {
  const layout = createLayout(await temporaryFolder());
  await mkdir(layout.state);
  return layout;
}

/** A ledger whose clock a test sets. */
async function ledgerOn(layout: Layout, more: Partial<LedgerDeps> = {}) {
  const clock = { now: noon(5) };
  const limits = { perDayUsd: null, perSessionUsd: null };
  const ledger = await openSpendingLedger({ layout, limits, now: () => clock.now, ...more });
  return { ledger, clock };
}

describe("the ledger", () => {
  it("adds up the queries of a day, across a restart", async () => {
    const layout = await home();
    const { ledger } = await ledgerOn(layout);
    await ledger.record(cost(0.1));
    await ledger.record(cost(0.2, { isEstimate: true }));

    const { ledger: again } = await ledgerOn(layout);

    expect(again.today()).toMatchObject({ day: "2026-01-05", costUsd: 0.3, isEstimate: true });
    expect(await again.spending()).toMatchObject({ today: { queries: 2 }, days: [{ day: "2026-01-05", costUsd: 0.3 }] });
  });

  it("counts a query once however often it is told, at its highest figure", async () => {
    const layout = await home();
    const { ledger } = await ledgerOn(layout);
    const runId = newMessageId();
    for (const usd of [0.1, 0.4, 0.4, 0.2]) await ledger.record(cost(usd, { runId }));

    const { ledger: again } = await ledgerOn(layout);

    expect([ledger.today().costUsd, again.today().costUsd]).toEqual([0.4, 0.4]);
    expect(again.costOf(runId)).toBe(0.4);
    expect(again.costOf(newMessageId())).toBeNull();
  });

  it("begins each day at nothing, and leaves a query with the day it began on", async () => {
    const { ledger, clock } = await ledgerOn(await home());
    const runId = newMessageId();
    await ledger.record(cost(1, { runId }));
    clock.now = new Date(2026, 0, 6, 0, 1);
    await ledger.record(cost(1.5, { runId }));
    await ledger.record(cost(0.2));

    expect(ledger.today()).toMatchObject({ day: "2026-01-06", costUsd: 0.2 });
    expect((await ledger.spending()).days).toMatchObject([{ costUsd: 0.2 }, { costUsd: 1.5, queries: 1 }]);
  });

  it("counts each process of a job on the day it ran on, and the job once a day", async () => {
    const layout = await home();
    const { ledger, clock } = await ledgerOn(layout);
    const { owner, isEstimate, runId } = cost(0);
    const record = (attempt: number, day: number, costUsd: number) =>
      ledger.record({ runId, owner, isEstimate, attempt, costUsd, at: noon(day).toISOString() });

    await record(1, 5, 4);
    clock.now = noon(6);
    for (const [attempt, day, costUsd] of [
      [1, 5, 4],
      [2, 6, 5],
      [3, 6, 1],
    ] as const)
      await record(attempt, day, costUsd);
    const { ledger: again } = await ledgerOn(layout);
    clock.now = noon(9);
    await record(1, 5, 4);
    await record(4, 9, 0.5);

    expect([ledger.today().costUsd, again.costOf(runId)]).toEqual([0.5, 10]);
    expect(await ledger.spending()).toMatchObject({
      today: { costUsd: 0.5, queries: 1 },
      days: [
        { day: "2026-01-09", costUsd: 0.5 },
        { day: "2026-01-06", costUsd: 6, queries: 1 },
        { day: "2026-01-05", costUsd: 4 },
      ],
    });
  });

  it("puts a query that was broken off to the day it ran on, and adds nothing to a day that is closed", async () => {
    const { ledger, clock } = await ledgerOn(await home());
    await ledger.record(cost(1));
    clock.now = noon(6);
    await ledger.record({ ...cost(0.5), at: noon(5).toISOString() });
    expect((await ledger.spending()).days).toMatchObject([{ day: "2026-01-05", costUsd: 1.5 }]);

    clock.now = noon(9);
    await ledger.record(cost(2));
    await ledger.record({ ...cost(0.5), at: noon(5).toISOString() });
    expect((await ledger.spending()).days).toMatchObject([{ costUsd: 2 }, { day: "2026-01-05", costUsd: 1.5 }]);
  });

  it("goes on with today where a clock that was ahead for a while has closed it, also across a restart", async () => {
    const layout = await home();
    const { ledger, clock } = await ledgerOn(layout);
    await ledger.record(cost(1));
    clock.now = noon(9);
    await ledger.record(cost(2));
    clock.now = noon(5);
    const runId = newMessageId();
    for (const usd of [0.5, 0.5, 0.75]) await ledger.record(cost(usd, { runId }));

    const { ledger: again } = await ledgerOn(layout);

    for (const each of [ledger, again]) {
      expect(each.today()).toMatchObject({ day: "2026-01-05", costUsd: 1.75 });
      expect((await each.spending()).days).toMatchObject([{ costUsd: 2 }, { day: "2026-01-05", costUsd: 1.75, queries: 2 }]);
    }
  });

  it("keeps the sums of days that are long over, and not their queries", async () => {
    const layout = await home();
    const { ledger, clock } = await ledgerOn(layout);
    for (let day = 1; day <= 500; day += 1) {
      clock.now = noon(day);
      await ledger.record(cost(1));
    }

    const { days } = await ledger.spending();

    expect(days).toHaveLength(402);
    expect(new Set(days.map(({ costUsd }) => costUsd))).toEqual(new Set([1]));
    expect((await readFile(layout.spending, "utf8")).trim().split("\n")).toHaveLength(2);
  });

  it("loses and doubles nothing that was recorded, whenever the hall dies", async () => {
    for (let units = 0, isDone = false; !isDone; units += 37) {
      const layout = await home();
      const { ledger: before } = await ledgerOn(layout);
      await before.record(cost(1));
      await before.record(cost(2));
      const dying = await ledgerOn(layout, { now: () => noon(8), disk: createDyingDisk(units) });
      const runId = newMessageId();
      isDone = await dying.ledger.record(cost(4, { runId })).then(
        () => true,
        () => false,
      );

      const { ledger: after } = await ledgerOn(layout, { now: () => noon(8) });
      await after.record(cost(4, { runId }));

      const { days } = await after.spending();
      expect(days.map(({ day, costUsd }) => [day, costUsd])).toEqual([
        ["2026-01-08", 4],
        ["2026-01-05", 3],
      ]);
    }
  });

  it("refuses to record on a full disk, and counts nothing then", async () => {
    const layout = await home();
    const { ledger } = await ledgerOn(layout, { disk: createSmallDisk(50) });

    await expect(ledger.record(cost(1))).rejects.toMatchObject({ code: "disk_full" });

    expect(ledger.today().costUsd).toBe(0);
    expect((await ledgerOn(layout)).ledger.today().costUsd).toBe(0);
  });

  it("goes on beside files that somebody broke, says so, and leaves documents as they are", async () => {
    const layout = await home();
    await writeFile(layout.spendingDays, "{ no json");
    await writeFile(layout.dayLimit, "[]");
    await writeFile(layout.spending, "nonsense\n{ cut of");
    const problems: unknown[] = [];
    const { ledger, clock } = await ledgerOn(layout, { onProblem: (error) => problems.push(error) });
    await ledger.record(cost(1));
    clock.now = noon(9);
    await ledger.record(cost(2));

    expect(problems).toHaveLength(4);
    expect(problems.map(String)).toContainEqual(expect.stringContaining("line 2 was cut off after 8 bytes"));
    expect((await ledger.spending()).days).toMatchObject([{ costUsd: 2 }, { costUsd: 1 }]);
    expect(await readFile(layout.spendingDays, "utf8")).toBe("{ no json");
  });

  it("keeps lines that somebody broke aside before it drops those of a day that is over", async () => {
    const layout = await home();
    const { ledger } = await ledgerOn(layout);
    await ledger.record(cost(1));
    const whole = await readFile(layout.spending, "utf8");
    await writeFile(layout.spending, `${whole}${whole.replace("costUsd", "cost")}`);
    const problems: unknown[] = [];

    await ledgerOn(layout, { now: () => noon(9), onProblem: (error) => problems.push(error) });

    expect(problems).toMatchObject([{ code: "file_broken", message: expect.stringContaining(layout.brokenSpending) as string }]);
    expect(await readFile(layout.spending, "utf8")).toBe("");
    expect(await readFile(layout.brokenSpending, "utf8")).toBe(whole.replace("costUsd", "cost"));
    await writeFile(layout.spending, `no json\n${whole.replace("2026-01-05", "2026-01-12")}`);
    await ledgerOn(layout, { now: () => noon(20) });
    expect(await readFile(layout.brokenSpending, "utf8")).toBe(`${whole.replace("costUsd", "cost")}no json\n`);
  });

  it("writes over nothing that it could not read when it was opened", async () => {
    const layout = await home();
    const { ledger: before } = await ledgerOn(layout);
    await before.record(cost(1));
    const whole = await readFile(layout.spending, "utf8");
    await rm(layout.spending);
    await symlink(layout.spending, layout.spending);
    const { ledger, clock } = await ledgerOn(layout);
    await rm(layout.spending);
    await writeFile(layout.spending, whole);
    await ledger.record(cost(2));
    clock.now = noon(9);
    await ledger.record(cost(4));

    const { ledger: again } = await ledgerOn(layout, { now: () => noon(9) });

    expect((await again.spending()).days).toMatchObject([{ costUsd: 4 }, { costUsd: 3 }]);
  });

  it("adds up any amounts to a millionth", async () => {
    const layout = await home();
    const cents = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cents, async (millionths) => {
        await writeFile(layout.spending, "");
        const { ledger } = await ledgerOn(layout);
        for (const each of millionths) await ledger.record(cost(each / 1e6));

        expect(ledger.today().costUsd).toBe(millionths.reduce((sum, each) => sum + each, 0) / 1e6);
      }),
      { numRuns: 10 },
    );
  });
});

describe("the limit of a day", () => {
  const limits = { perDayUsd: 5, perSessionUsd: 2 };

  it("is that of config.yaml until somebody sets another", async () => {
    const { ledger } = await ledgerOn(await home(), { limits });

    expect(await ledger.spending()).toMatchObject({ limit: { perDayUsd: 5, from: "config" }, perSessionUsd: 2 });
  });

  it("that is set for today is over tomorrow, also across a restart", async () => {
    const layout = await home();
    const { ledger } = await ledgerOn(layout, { limits });
    await ledger.setLimit({ perDayUsd: 20, until: "today" });

    const { ledger: again, clock } = await ledgerOn(layout, { limits });

    expect(again.today().limit).toEqual({ perDayUsd: 20, from: "today" });
    clock.now = noon(6);
    expect(again.today().limit).toEqual({ perDayUsd: 5, from: "config" });
  });

  it("that is set for good stays where one for today is set at the same time", async () => {
    const { ledger, clock } = await ledgerOn(await home(), { limits });

    await Promise.all([ledger.setLimit({ perDayUsd: 7, until: "always" }), ledger.setLimit({ perDayUsd: 20, until: "today" })]);

    expect(ledger.today().limit).toEqual({ perDayUsd: 20, from: "today" });
    clock.now = noon(6);
    expect(ledger.today().limit).toEqual({ perDayUsd: 7, from: "always" });
  });

  it("is not set over one that somebody broke", async () => {
    const layout = await home();
    await writeFile(layout.dayLimit, "[]");
    const { ledger } = await ledgerOn(layout, { limits });

    await expect(ledger.setLimit({ perDayUsd: 20, until: "today" })).rejects.toMatchObject({ code: "file_broken" });

    expect(await readFile(layout.dayLimit, "utf8")).toBe("[]");
    expect(ledger.today().limit).toEqual({ perDayUsd: 5, from: "config" });
  });

  it("that is set for good lasts until it is taken back, and null is none", async () => {
    const { ledger, clock } = await ledgerOn(await home(), { limits });
    await ledger.setLimit({ perDayUsd: 7, until: "today" });
    await ledger.setLimit({ perDayUsd: null, until: "always" });
    clock.now = noon(6);

    expect(ledger.today().limit).toEqual({ perDayUsd: null, from: "always" });
    expect(await ledger.clearLimit()).toEqual({ perDayUsd: 5, from: "config" });
  });
});
