import { randomUUID } from "node:crypto";
import type { HallEvent } from "../schema/hall-event.ts";

type Subscription = { [Symbol.asyncIterator](): AsyncIterator<HallEvent> & { ready(): HallEvent | undefined } };

export type HallEvents = {
  publish(event: HallEvent): void;
  /** Everything published from now on, until `close` or the consumer leaves. `ready` is the next of it where it is there already. */
  subscribe(): Subscription;
  /** Differs if a session or the pause has changed in between, and from what any other hall says. */
  changes(): string;
  /** How many read at this moment. */
  listeners(): number;
  close(): void;
};

/**
 * Tells every open page that something changed. What a slow reader has not fetched yet is kept once per thing, newest
 * state only, so its backlog is bounded by the number of things and not by the number of changes.
 */
export function createHallEvents(): HallEvents {
  const mailboxes = new Set<Mailbox>();
  const name = randomUUID();
  let count = 0;
  let isClosed = false;
  return {
    publish(event) {
      if (event.event === "session" || event.event === "runs") count += 1;
      for (const mailbox of mailboxes) mailbox.put(event);
    },
    subscribe() {
      const mailbox = createMailbox(() => mailboxes.delete(mailbox));
      mailboxes.add(mailbox);
      if (isClosed) mailbox.close();
      return mailbox.events;
    },
    changes: () => `${name}-${count}`,
    listeners: () => mailboxes.size,
    close() {
      isClosed = true;
      for (const mailbox of mailboxes) mailbox.close();
    },
  };
}

/** What a reader must not miss although something newer was said of the same thing. */
function partOf({ data }: HallEvent): string {
  if ("part" in data) return data.part ?? "";
  return "change" in data ? (data.change ?? "") : "";
}

type Mailbox = { put(event: HallEvent): void; close(): void; events: Subscription };

function createMailbox(onLeave: () => void): Mailbox {
  const waiting = new Map<string, HallEvent>();
  let isClosed = false;
  let wake: () => void = () => undefined;

  const ready = (): HallEvent | undefined => {
    const [key, event] = waiting.entries().next().value ?? [];
    if (key !== undefined) waiting.delete(key);
    return event;
  };
  const next = async (): Promise<IteratorResult<HallEvent>> => {
    while (waiting.size === 0 && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
    const event = ready();
    return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
  };
  const close = () => {
    isClosed = true;
    wake();
  };
  const leave = async (): Promise<IteratorResult<HallEvent>> => {
    onLeave();
    waiting.clear();
    close();
    return { done: true, value: undefined };
  };
  return {
    put(event) {
      const key = `${event.event} ${event.event === "runs" ? "" : event.data.id} ${partOf(event)}`;
      waiting.delete(key);
      waiting.set(key, event);
      wake();
    },
    close,
    events: { [Symbol.asyncIterator]: () => ({ next, ready, return: leave }) },
  };
}
