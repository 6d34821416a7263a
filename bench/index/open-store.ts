import { monitorEventLoopDelay } from "node:perf_hooks";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { openSessionStore } from "../../src/adapters/files/session-store.ts";
import { keepMemorySmall } from "../../src/server/keep-memory-small.ts";
import { commonWord, rareWord } from "./make-sessions.ts";

/** A fresh process that opens the store of a home, as a hall does at its start, and prints what that cost. */
keepMemorySmall();
const delay = monitorEventLoopDelay({ resolution: 5 });
const start = performance.now();
const store = await openSessionStore({ layout: createLayout(process.argv[2] ?? "") });
const first = await store.list({ limit: 50 });
const openMs = performance.now() - start;
const rssAtStart = process.memoryUsage.rss();

delay.enable();
let answeredMeanwhile = 0;
const asking = setInterval(() => void store.list({ limit: 50 }).then(() => (answeredMeanwhile += 1)), 20);
await store.settled();
clearInterval(asking);
delay.disable();
const settledMs = performance.now() - start;

const pages: number[] = [];
for (let cursor: string | undefined, count = 0; count < 400; count += 1) {
  const began = performance.now();
  const page = await store.list({ limit: 50, cursor });
  pages.push(performance.now() - began);
  cursor = page.nextCursor ?? undefined;
}
/** The slowest of some: what nobody has, what few have, and both together. */
let searchMs = 0;
for (const query of [
  { status: ["running"] },
  { q: "no name has these words" },
  { q: "12345" },
  { status: ["expired"], q: "question" },
] as const) {
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now();
    await store.list({ limit: 50, ...query });
    searchMs = Math.max(searchMs, performance.now() - began);
  }
}

const rssBeforeSearch = process.memoryUsage.rss();
const delayOfSearch = monitorEventLoopDelay({ resolution: 5 });
delayOfSearch.enable();
await store.searchable();
delayOfSearch.disable();
const searchableMs = performance.now() - start;
/** By what is looked for; the slowest of some. */
const searches: Record<string, { ms: number; found: number }> = {};
for (const [kind, q] of Object.entries({
  rare: rareWord,
  common: commonWord,
  none: "nobodysaidthis",
  several: `${commonWord} ${rareWord}`,
  beginning: rareWord.slice(0, 3),
})) {
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now();
    const { sessions } = await store.list({ limit: 50, q });
    const ms = performance.now() - began;
    if (ms > (searches[kind]?.ms ?? 0)) searches[kind] = { ms, found: sessions.length };
  }
}
const rssAtEnd = process.memoryUsage.rss();
await store.close();

process.stdout.write(
  JSON.stringify({
    first: first.sessions.length,
    openMs,
    settledMs,
    answeredMeanwhile,
    longestBlockMs: delay.max / 1e6,
    rssMb: Math.max(rssAtStart, rssBeforeSearch, rssAtEnd) / 1024 / 1024,
    pages,
    searchMs,
    searchableMs,
    searchBlockMs: delayOfSearch.max / 1e6,
    searches,
  }),
);
