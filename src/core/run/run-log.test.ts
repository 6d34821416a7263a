import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import { createMemoryProgress } from "./progress-store.testing.ts";
import { createRunLog } from "./run-log.ts";

describe("the log of a run", () => {
  it("gives a reader that comes late everything from the start", async () => {
    const log = logInMemory();
    log.append(text("a"));
    log.append(text("b"));
    log.close();

    expect(await textsOf(log.read())).toEqual(["a", "b"]);
  });

  it("loses and doubles nothing when a reader leaves at any point and comes back with the last id it saw, however little is in memory", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 30 }), fc.nat(), fc.nat(2000), async (texts, leave, window) => {
        const log = logInMemory({ window });
        for (const each of texts) log.append(text(each));
        log.close();
        const first = (await collect(log.read())).slice(0, leave % (texts.length + 1));

        const rest = await collect(log.read(first.at(-1)?.id));

        expect([...first, ...rest].map(({ data }) => (data as { text: string }).text)).toEqual(texts);
      }),
    );
  });

  it("catches a reader up that fell behind while the run goes on, and holds nothing for it", async () => {
    const log = logInMemory({ window: 1000 });
    const reader = log.read()[Symbol.asyncIterator]();
    const seen: unknown[] = [];

    for (let round = 0; round < 20; round += 1) {
      for (let each = 0; each < 100; each += 1) log.append(text(`${round * 100 + each}`));
      seen.push((await reader.next()).value);
    }
    log.close();
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) seen.push(next.value);

    expect(seen.map((event) => (event as { data: { text: string } }).data.text)).toEqual(Array.from({ length: 2000 }, (_, at) => `${at}`));
  });

  it("shows an event only when it has been written", async () => {
    const progress = createMemoryProgress();
    const log = createRunLog(newMessageId(), { progress, parse, onProblem: fail });
    const reader = log.read()[Symbol.asyncIterator]();

    log.append(text("a"));
    const first = await reader.next();

    expect(progress.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: "text", data: (first.value as { data: unknown }).data },
    ]);
  });

  it("goes on in memory where the file cannot be written, and says so once", async () => {
    let isFull = false;
    const problems: unknown[] = [];
    const progress = createMemoryProgress({ refuses: () => isFull });
    const log = createRunLog(newMessageId(), { progress, parse, onProblem: (error) => problems.push(error), window: 10 });
    log.append(text("a"));
    await log.read()[Symbol.asyncIterator]().next();
    isFull = true;

    for (const each of ["b", "c", "d"]) log.append(text(each));
    log.close();

    expect(await textsOf(log.read())).toEqual(["a", "b", "c", "d"]);
    expect(problems).toHaveLength(1);
  });

  it("wakes readers that wait, and ends them when it closes", async () => {
    const log = logInMemory();
    const readers = [collect(log.read()), collect(log.read())];

    log.append(text("late"));
    log.close();

    for (const seen of await Promise.all(readers)) expect(seen).toHaveLength(1);
  });

  it("lets go of a reader that leaves while it waits", async () => {
    const log = logInMemory();
    const reader = log.read()[Symbol.asyncIterator]();
    const waiting = reader.next();

    await reader.return?.();

    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("is unread when it is closed and its last reader has left", async () => {
    const log = logInMemory();
    const reader = log.read()[Symbol.asyncIterator]();
    log.append(text("a"));
    await reader.next();
    log.close();
    const order: string[] = [];
    const unread = log.unread().then(() => order.push("unread"));

    order.push("leaves");
    await reader.return?.();
    await unread;

    expect(order).toEqual(["leaves", "unread"]);
  });

  it("starts at the beginning for an id of another run, and for nonsense", async () => {
    const log = logInMemory();
    log.append(text("a"));
    log.close();

    expect(await collect(log.read(`${newMessageId()}.0`))).toHaveLength(1);
    expect(await collect(log.read(`${log.runId}.x`))).toHaveLength(1);
  });
});

const text = (text: string) => ({ event: "text" as const, data: { messageId: newMessageId(), text } });

const parse = (event: unknown) => SessionEvent.parse(event);

function fail(error: unknown): void {
  throw error;
}

const logInMemory = (more: { window?: number } = {}) =>
  createRunLog(newMessageId(), { progress: createMemoryProgress(), parse, onProblem: fail, ...more });

async function collect<Value>(source: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of source) values.push(value);
  return values;
}

const textsOf = async (source: AsyncIterable<{ data: unknown }>): Promise<string[]> =>
  (await collect(source)).map(({ data }) => (data as { text: string }).text);
