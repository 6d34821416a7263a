import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import { createQueryLog } from "./query-log.ts";

const text = (text: string) => ({ event: "text" as const, data: { messageId: newMessageId(), text } });

async function collect<Value>(source: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of source) values.push(value);
  return values;
}

describe("the log of a query", () => {
  it("gives a reader that comes late everything from the start", async () => {
    const log = createQueryLog(newMessageId());
    log.append(text("a"));
    log.append(text("b"));
    log.close();

    const seen = await collect(log.read());

    expect(seen.map(({ data }) => data)).toMatchObject([{ text: "a" }, { text: "b" }]);
  });

  it("loses and doubles nothing when a reader leaves at any point and comes back with the last id it saw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 30 }), fc.nat(), async (texts, leave) => {
        const log = createQueryLog(newMessageId());
        for (const each of texts) log.append(text(each));
        log.close();
        const first = (await collect(log.read())).slice(0, leave % (texts.length + 1));

        const rest = await collect(log.read(first.at(-1)?.id));

        expect([...first, ...rest].map(({ data }) => (data as { text: string }).text)).toEqual(texts);
      }),
    );
  });

  it("wakes readers that wait, and ends them when it closes", async () => {
    const log = createQueryLog(newMessageId());
    const readers = [collect(log.read()), collect(log.read())];

    log.append(text("late"));
    log.close();

    for (const seen of await Promise.all(readers)) expect(seen).toHaveLength(1);
  });

  it("lets go of a reader that leaves while it waits", async () => {
    const log = createQueryLog(newMessageId());
    const reader = log.read()[Symbol.asyncIterator]();
    const waiting = reader.next();

    await reader.return?.();

    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("starts at the beginning for an id of another query, and for nonsense", async () => {
    const log = createQueryLog(newMessageId());
    log.append(text("a"));
    log.close();

    expect(await collect(log.read(`${newMessageId()}.0`))).toHaveLength(1);
    expect(await collect(log.read(`${log.messageId}.x`))).toHaveLength(1);
  });
});
