import { expect, it } from "vitest";
import { newSessionId } from "../schema/ids.ts";
import { createHallEvents } from "./hall-events.ts";

const change = (id = newSessionId(), status: "idle" | "running" = "idle") => ({ event: "session" as const, data: { id, status } });

it("tells every subscriber of a change", async () => {
  const events = createHallEvents();
  const readers = [events.subscribe(), events.subscribe()].map((each) => each[Symbol.asyncIterator]());
  const said = change();

  events.publish(said);

  for (const reader of readers) expect(await reader.next()).toEqual({ done: false, value: said });
});

it("keeps only the newest state of each thing for a reader that does not read (SEC-15)", async () => {
  const events = createHallEvents();
  const reader = events.subscribe()[Symbol.asyncIterator]();
  const id = newSessionId();
  for (let count = 0; count < 10_000; count += 1) events.publish(change(id, "running"));
  events.publish(change(id, "idle"));
  events.close();

  const seen = [await reader.next(), await reader.next()];

  expect(seen).toEqual([
    { done: false, value: change(id, "idle") },
    { done: true, value: undefined },
  ]);
});

it("lets go of a reader that leaves while it waits", async () => {
  const events = createHallEvents();
  const reader = events.subscribe()[Symbol.asyncIterator]();
  const waiting = reader.next();

  await reader.return?.();

  expect(await waiting).toEqual({ done: true, value: undefined });
});

it("ends at once for somebody who subscribes after it closed", async () => {
  const events = createHallEvents();
  events.close();

  expect(await events.subscribe()[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
});

it("does not lose that a job has ended or asked where more was said of it since", async () => {
  const events = createHallEvents();
  const reader = events.subscribe()[Symbol.asyncIterator]();
  const about = { id: "researcher/1", status: "completed" as const };
  const listeners = events.listeners();

  events.publish({ event: "job", data: { ...about, change: "asked" } });
  events.publish({ event: "job", data: { ...about, change: "ended" } });
  events.publish({ event: "job", data: about });
  const seen = [await reader.next(), await reader.next(), await reader.next()];
  await reader.return?.();

  const told = [{ ...about, change: "asked" }, { ...about, change: "ended" }, about].map((data) => ({ event: "job", data }));
  expect(seen).toEqual(told.map((value) => ({ done: false, value })));
  expect([listeners, events.listeners()]).toEqual([1, 0]);
});

it("has another mark after each change of a session, and another than every other hall", () => {
  const [events, others] = [createHallEvents(), createHallEvents()];
  const before = events.changes();
  events.publish({ event: "roster", data: { id: "example", status: "connected" } });
  const between = events.changes();
  events.publish(change());

  expect(between).toBe(before);
  expect(new Set([before, events.changes(), others.changes()]).size).toBe(3);
});
