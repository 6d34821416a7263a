import { describe, expect, it, onTestFinished } from "vitest";
import type { StreamOptions } from "../../client/event-stream.ts";
import { changesHeader } from "../../schema/changes-header.ts";
import { newSessionId } from "../../schema/ids.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { createHallStream } from "./hall-stream.ts";
import type { HallNews } from "./hall-stream.ts";

describe("the stream that all tabs share", () => {
  it("is opened by one tab, and what it hears reaches all", async () => {
    const hall = createHall();
    const tabs = [openTab(hall), openTab(hall), openTab(hall)];
    await Promise.all(tabs.map((tab) => tab.hears("online")));

    hall.publish(change());

    await Promise.all(tabs.map((tab) => tab.hears("event")));
    expect(hall.opened()).toBe(1);
  });

  it("tells a tab that comes later how things stand, and does not make the others read again", async () => {
    const hall = createHall();
    const first = openTab(hall);
    await first.hears("online");

    const late = openTab(hall);
    await late.hears("online");

    expect(first.heard()).toEqual(["online"]);
  });

  it("goes to the next tab when its holder closes, and everybody is told to read again", async () => {
    const hall = createHall();
    const holder = openTab(hall);
    await holder.hears("online");
    const next = openTab(hall);
    await next.hears("online");
    next.forget();

    holder.stream.close();
    await next.hears("online");
    hall.publish(change());

    await next.hears("event");
    expect(hall.opened()).toBe(2);
  });

  it("that breaks is tried again at once when any tab asks", async () => {
    const hall = createHall();
    const [holder, other] = [openTab(hall), openTab(hall)];
    await Promise.all([holder.hears("online"), other.hears("online")]);
    other.forget();

    hall.breakStreams();
    await other.hears("offline");
    other.stream.retry();

    await expect.poll(() => hall.opened()).toBe(2);
  });

  it("is each tab's own where the browser has no locks", async () => {
    const hall = createHall();
    const tabs = [openTab(hall, { hasLocks: false }), openTab(hall, { hasLocks: false })];

    await Promise.all(tabs.map((tab) => tab.hears("online")));

    expect(hall.opened()).toBe(2);
  });
});

describe("what a tab missed before it heard of the stream", () => {
  it("is nothing where no session changed since its page was drawn, and something where one did", async () => {
    const hall = createHall();
    const holder = openTab(hall);
    await holder.hears("online");
    const others = [openTab(hall), openTab(hall, { drawnAt: "earlier" })];
    await Promise.all(others.map((tab) => tab.hears("online")));

    expect([holder, ...others].map((tab) => tab.hasMissed())).toEqual([false, false, true]);
  });

  it("is not known to a tab that comes after news of a session", async () => {
    const hall = createHall();
    const first = openTab(hall);
    await first.hears("online");
    hall.publish(change());
    await first.hears("event");

    const late = openTab(hall);
    await late.hears("online");

    expect(late.hasMissed()).toBe(true);
  });

  it("may be anything where the stream broke", async () => {
    const hall = createHall();
    const tab = openTab(hall);
    await tab.hears("online");
    tab.forget();

    hall.breakStreams();
    await tab.hears("online");

    expect(tab.hasMissed()).toBe(true);
  });
});

const change = (): HallEvent => ({ event: "session", data: { id: newSessionId(), status: "idle" } });

function openTab(hall: ReturnType<typeof createHall>, { hasLocks = true, drawnAt = "now" } = {}) {
  let heard: HallNews["news"][] = [];
  let hasMissed: boolean | undefined;
  let wake = () => {};
  const stream = createHallStream({
    client: hall.client,
    locks: hasLocks ? hall.locks : undefined,
    openChannel: () => new BroadcastChannel(hall.name),
    drawnAt: () => drawnAt,
    tell: (news) => {
      heard.push(news.news);
      if (news.news === "online") hasMissed = news.hasMissed;
      wake();
    },
  });
  onTestFinished(() => stream.close());
  return {
    stream,
    heard: () => heard,
    /** What it was told when it last heard that the stream stands. */
    hasMissed: () => hasMissed,
    forget: () => (heard = []),
    hears: async (news: HallNews["news"]) => {
      while (!heard.includes(news)) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

/** A hall's stream without a network. Locks and channels are Node's own, under a name of this test's. */
function createHall() {
  const name = crypto.randomUUID();
  let readers: { push: (event: HallEvent) => void; fail: () => void }[] = [];
  let opened = 0;
  const locks = {
    request: (lock: string, ...more: unknown[]) =>
      Reflect.apply(navigator.locks.request, navigator.locks, [`${name} ${lock}`, ...more]) as Promise<unknown>,
    query: () => navigator.locks.query(),
  } as LockManager; // only the name differs
  async function* events({ signal, onOpen }: StreamOptions = {}) {
    opened += 1;
    onOpen?.(new Headers({ [changesHeader]: "now" }));
    const waiting: HallEvent[] = [];
    let wake = () => {};
    let isBroken = false;
    const end = () => {
      isBroken = true;
      wake();
    };
    signal?.addEventListener("abort", end);
    const push = (event: HallEvent) => {
      waiting.push(event);
      wake();
    };
    readers.push({ push, fail: end });
    for (;;) {
      while (waiting.length === 0 && !isBroken) await new Promise<void>((resolve) => (wake = resolve));
      if (isBroken) throw new TypeError("network error");
      for (const event of waiting.splice(0)) yield { id: undefined, event };
    }
  }
  return {
    name,
    locks,
    client: { events },
    opened: () => opened,
    publish: (event: HallEvent) => readers.forEach((reader) => reader.push(event)),
    breakStreams: () => {
      for (const reader of readers.splice(0)) reader.fail();
      readers = [];
    },
  };
}
