import { Config } from "../../src/schema/config.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { askedHealth } from "../hall/watch-health.ts";
import { amount, counted, measured } from "../measured.ts";
import { median, percentile } from "../median.ts";
import { benchTools } from "./bench-tools.ts";
import { fanOutOfBareServer, fanOutOfHall } from "./fan-out.ts";
import type { FanOut } from "./fan-out.ts";
import { setLoadStage } from "./load-stage.ts";
import type { LoadStage } from "./load-stage.ts";
import { leaveAll, openReaders } from "./readers.ts";
import { benchReturning } from "./returning.ts";
import { longAnswer, putUnderLoad, turnPages } from "./under-load.ts";
import type { UnderLoad } from "./under-load.ts";

const furniture = { sessions: 1000, jobs: 10_000, members: 10, toolsEach: 100, hasBundled: false };
const browsers = 200;
const budgets = { healthMs: 250, pageMs: 250, fanOutTimes: 10, spreadTimes: 8, streamKib: 128, hallMib: 600 };

/** One furnished hall beside itself: at rest, with one reader, and with two hundred browsers. */
export async function benchLoad(effort: Effort): Promise<BenchRow[]> {
  const stage = await setLoadStage(furniture, () => longAnswer(effort.rounds(400)));
  try {
    const ids = await sessionIds(stage);
    const take = (full: number): SessionId[] => ids.splice(0, effort.rounds(full));
    const idle = {
      healths: await askedHealth(stage.hall.url, effort.rounds(200)),
      ...(await turnPages(stage.hall, take(40)).whole()),
    };
    const toOne = await withReaders(stage, 1, take(50));
    const toAll = await withReaders(stage, browsers, take(50));
    const bare = await fanOutOfBareServer(browsers, take(50));
    const load = await putUnderLoad(stage, browsers, ids);
    return [
      ...fanOutRows(toOne, toAll, bare),
      ...loadRows(idle, load),
      ...(await benchReturning(stage, browsers, effort.rounds(10), Config.parse({}).streams.max)),
      ...(await benchTools(stage, furniture, effort.rounds(20))),
    ];
  } finally {
    await stage.end();
  }
}

async function sessionIds({ hall: { client } }: LoadStage): Promise<SessionId[]> {
  const { sessions, nextCursor } = await client.sessions.list({ limit: 500 });
  const rest = nextCursor === null ? [] : (await client.sessions.list({ limit: 500, cursor: nextCursor })).sessions;
  return [...sessions, ...rest].map(({ id }) => id);
}

async function withReaders({ hall }: LoadStage, count: number, ids: readonly SessionId[]): Promise<FanOut> {
  const readers = await openReaders(count, `${hall.url}/api/events`);
  const found = await fanOutOfHall(hall.client, readers, ids);
  await leaveAll(readers);
  return found;
}

const fanOutRows = (toOne: FanOut, toAll: FanOut, bare: FanOut): BenchRow[] => [
  measured({
    name: `a renamed session is told to ${browsers} readers, to the last`,
    ours: median(toAll.wholeMs),
    unit: "ms",
    baseline: { value: median(toOne.wholeMs), of: "to one reader" },
    budget: { times: budgets.fanOutTimes },
  }),
  measured({
    name: `from the first of ${browsers} readers to the last`,
    ours: median(toAll.spreadMs),
    unit: "ms",
    baseline: { value: median(bare.spreadMs), of: "bare Node server" },
    budget: { times: budgets.spreadTimes },
  }),
];

function loadRows(idle: Pick<UnderLoad, "healths" | "sessionPages" | "jobPages">, load: UnderLoad): BenchRow[] {
  const { before, during, after } = load.memory;
  const beside = (what: string, ours: number, atRest: number, most: number): BenchRow =>
    measured({ name: `${what} meanwhile`, ours, unit: "ms", baseline: { value: atRest, of: "at rest" }, budget: { most } });
  return [
    counted(`readers of 8 queries had the whole answer, ${load.streams} streams open`, load.whole, browsers),
    beside("/api/health, 95%,", percentile(load.healths, 95), percentile(idle.healths, 95), budgets.healthMs),
    beside("a page of 1,000 sessions", median(load.sessionPages), median(idle.sessionPages), budgets.pageMs),
    beside("a page of 10,000 jobs", median(load.jobPages), median(idle.jobPages), budgets.pageMs),
    measured({
      name: `memory in use for each of ${load.streams} streams, queries included`,
      ours: Math.max(0, ((during.live - before.live) * 1024) / load.streams),
      unit: "KiB",
      budget: { most: budgets.streamKib },
    }),
    measured({
      name: "memory of the hall when all have left",
      ours: after.resident,
      unit: "MiB",
      detail: `in use ${amount(after.live, "MiB")}`,
      baseline: { value: before.resident, of: `before, in use ${amount(before.live, "MiB")}` },
      budget: { most: budgets.hallMib },
    }),
  ];
}
