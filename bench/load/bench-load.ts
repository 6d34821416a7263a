import { Config } from "../../src/schema/config.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { askedHealth } from "../hall/watch-health.ts";
import { amount, counted, measured } from "../measured.ts";
import { median, percentile } from "../median.ts";
import { benchLongTexts } from "./bench-long-texts.ts";
import { benchTools } from "./bench-tools.ts";
import { fanOutOfBareServer, fanOutOfHall } from "./fan-out.ts";
import type { FanOut } from "./fan-out.ts";
import { setLoadStage } from "./load-stage.ts";
import type { LoadStage } from "./load-stage.ts";
import { leaveAll, openAlike } from "./readers.ts";
import { benchReturning } from "./returning.ts";
import { turnPages } from "./turn-pages.ts";
import type { PageTimes } from "./turn-pages.ts";
import { longAnswer, putUnderLoad, queries } from "./under-load.ts";
import type { UnderLoad } from "./under-load.ts";

const furniture = { sessions: 1000, jobs: 10_000, members: 10, toolsEach: 100, hasBundled: false };
const browsers = 200;
const budgets = { healthMs: 250, pageMs: 250, fanOutTimes: 10, spreadTimes: 8, streamKib: 128, hallMib: 600 };

/** A hall with much to do at once, and one with much to show. */
export async function benchLoad(effort: Effort): Promise<BenchRow[]> {
  return [...(await benchFurnished(effort)), ...(await benchLongTexts(effort))];
}

/** One furnished hall beside itself: at rest, with one reader, and with two hundred browsers. */
async function benchFurnished(effort: Effort): Promise<BenchRow[]> {
  const stage = await setLoadStage(furniture, () => longAnswer);
  try {
    const ids = await sessionIds(stage);
    const take = (full: number): SessionId[] => ids.splice(0, effort.rounds(full));
    const atRest = {
      healths: await askedHealth(stage.hall.url, effort.rounds(200)),
      pages: await turnPages(stage.hall, take(40)).whole(),
    };
    const toOne = await withReaders(stage, 1, take(50));
    const toAll = await withReaders(stage, browsers, take(50));
    const bare = await fanOutOfBareServer(browsers, take(50));
    const load = await putUnderLoad(stage, browsers, ids);
    return [
      ...fanOutRows(toOne, toAll, bare),
      ...loadRows(atRest, load),
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
  const readers = await openAlike(count, `${hall.url}/api/events`);
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

function loadRows(atRest: { healths: number[]; pages: PageTimes }, load: UnderLoad): BenchRow[] {
  const { before, during, after } = load.memory;
  const beside = (name: string, ours: number, restMs: number, most: number): BenchRow =>
    measured({ name, ours, unit: "ms", baseline: { value: restMs, of: "at rest" }, budget: { most } });
  const health = (times: readonly number[]): number => percentile(times, 95);
  const { streams, healths, pages } = load;
  return [
    counted(`${browsers} readers of ${queries} queries have the whole answer, ${streams} streams open`, load.whole, browsers),
    beside(`/api/health, 95%, while ${streams} streams are opened`, health(healths.coming), health(atRest.healths), budgets.healthMs),
    beside("/api/health, 95%, while they are read", health(healths.reading), health(atRest.healths), budgets.healthMs),
    beside("a page of 1,000 sessions meanwhile", median(pages.sessions), median(atRest.pages.sessions), budgets.pageMs),
    beside("a page of 10,000 jobs meanwhile", median(pages.jobs), median(atRest.pages.jobs), budgets.pageMs),
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
