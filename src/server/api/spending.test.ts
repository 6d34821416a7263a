import { mkdir, writeFile } from "node:fs/promises";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createDiskMeter } from "../../adapters/files/disk-usage.ts";
import { createLayout } from "../../adapters/files/layout.ts";
import { openSpendingLedger } from "../../adapters/files/spending.ts";
import { createHallClient } from "../../client/hall-client.ts";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import { diskRoute } from "./disk.ts";
import { createApiHandler } from "./handler.ts";
import { spendingRoutes } from "./spending.ts";

/** A client of the two resources alone, on a home of their own. */
async function stage() {
  const layout = createLayout(await temporaryFolder());
  await mkdir(layout.state);
  await writeFile(layout.version, "1\n");
  const ledger = await openSpendingLedger({ layout, limits: { perDayUsd: 5, perSessionUsd: null } });
  const meter = createDiskMeter({ home: layout.home });
  onTestFinished(meter.close);
  const routes = [
    ...spendingRoutes({ ledger }),
    diskRoute({ diskUsage: meter.usage, retention: { completedSessionDays: 30, inactiveSessionDays: null } }),
  ];
  const handler = createApiHandler(routes, { log: pino({ level: "silent" }), scrub: (text) => text, door: { isPerson: () => true } });
  return { ledger, client: createHallClient({ baseUrl: "http://hall", fetch: (request) => handler(new Request(request)) }) };
}

describe("what was spent", () => {
  it("is told with its limit", async () => {
    const { ledger, client } = await stage();
    await ledger.record({ runId: newMessageId(), owner: { kind: "session", id: newSessionId() }, costUsd: 0.25, isEstimate: true });

    const spending = await client.spending.get();

    expect(spending).toMatchObject({
      today: { costUsd: 0.25, queries: 1, isEstimate: true },
      limit: { perDayUsd: 5, from: "config" },
      days: [{ costUsd: 0.25 }],
    });
  });

  it("may be more from now on, for today or for good, until that is taken back", async () => {
    const { ledger, client } = await stage();

    const today = await client.spending.setLimit({ perDayUsd: 20 });
    const always = await client.spending.setLimit({ perDayUsd: null, until: "always" });
    const cleared = await client.spending.clearLimit();

    expect([today, always, cleared]).toEqual([
      { perDayUsd: 20, from: "today" },
      { perDayUsd: null, from: "always" },
      { perDayUsd: 5, from: "config" },
    ]);
    expect(ledger.today().limit).toEqual(cleared);
  });

  // The last two are what a program without our types may send.
  it.each([{ perDayUsd: 0 }, { perDayUsd: -1 }, { perDayUsd: "5" as unknown as number }, {} as { perDayUsd: null }])(
    "may not be %j",
    async (limit) => {
      const { ledger, client } = await stage();

      await expect(client.spending.setLimit(limit)).rejects.toMatchObject({ code: "bad_request" });

      expect(ledger.today().limit.from).toBe("config");
    },
  );
});

describe("what the home takes", () => {
  it("is told part by part, with how long sessions are kept", async () => {
    const { client } = await stage();

    const usage = await client.disk();

    expect(usage.parts.find(({ name }) => name === "state")).toMatchObject({ files: 1, isWhole: true });
    expect(usage.retention).toEqual({ completedSessionDays: 30, inactiveSessionDays: null });
  });
});
