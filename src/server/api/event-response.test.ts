import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { readEventStream } from "../../client/event-stream.ts";
import { createEventEncoder, eventResponse } from "./event-response.ts";
import type { EventSource, StreamedEvent } from "./event-response.ts";

const Numbered = z.object({ event: z.literal("number"), data: z.object({ number: z.number() }) });

afterEach(() => vi.useRealTimers());

const respond = (source: EventSource, onEnd = () => undefined as void): Response =>
  eventResponse(source, { onEnd, encode: createEventEncoder() });

async function* numbers(count: number, taken?: (number: number) => void) {
  for (let number = 0; number < count; number += 1) {
    taken?.(number);
    yield { id: `n.${number}`, event: "number", data: { number } };
  }
}

describe("an event answer", () => {
  it("is read back by the client event by event, with its ids", async () => {
    const seen = [];
    for await (const each of readEventStream(respond(numbers(3)), Numbered)) seen.push(each);

    expect(seen.map(({ id, event }) => [id, event.data.number])).toEqual([
      ["n.0", 0],
      ["n.1", 1],
      ["n.2", 2],
    ]);
  });

  it("takes no more from its source than the client reads (SEC-15)", async () => {
    let taken = 0;
    const response = respond(numbers(100_000, () => (taken += 1)));
    const reader = response.body?.getReader();

    await reader?.read();
    await reader?.read();

    expect(taken).toBeLessThan(10);
  });

  it("sends what is there already in one piece, for whoever is behind, and no more than 64 KiB of it at once", async () => {
    let number = 0;
    const text = "x".repeat(1000);
    const another = (): StreamedEvent => ({ event: "number", data: { number: (number += 1), text } });
    const next = async () => ({ done: false as const, value: another() });
    const reader = respond({ [Symbol.asyncIterator]: () => ({ next, ready: another }) })
      .body?.pipeThrough(new TextDecoderStream())
      .getReader();
    await reader?.read();

    const piece = (await reader?.read())?.value ?? "";
    await reader?.cancel();

    const numbersIn = Array.from(piece.matchAll(/"number":(\d+)/g), ([, found]) => Number(found));
    expect(numbersIn).toEqual(Array.from({ length: numbersIn.length }, (_, index) => index + 1));
    expect(piece.length).toBeGreaterThan(60_000);
    expect(piece.length).toBeLessThan(70_000);
  });

  it("lets go of its source and says so once when the client goes away", async () => {
    let ended = 0;
    const endless = (async function* () {
      try {
        for (;;) yield { event: "number", data: { number: 1 } };
      } finally {
        ended += 10;
      }
    })();
    const response = respond(endless, () => void (ended += 1));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();

    await reader?.cancel();

    await expect.poll(() => ended).toBe(11);
  });

  it("fails the stream and lets go when its source fails", async () => {
    let ended = 0;
    const failing = (async function* () {
      yield { event: "number", data: { number: 1 } };
      throw new Error("gone");
    })();
    const response = respond(failing, () => void (ended += 1));

    await expect(response.text()).rejects.toThrow("gone");

    expect(ended).toBe(1);
  });

  it("is encoded once for all who read it", async () => {
    let encoded = 0;
    const told = { event: "number", data: { toJSON: () => ({ number: (encoded += 1) }) } };
    const encode = createEventEncoder();
    const tell = async function* () {
      yield told;
    };

    const read = await Promise.all([1, 2, 3].map(() => eventResponse(tell(), { onEnd: () => undefined, encode }).text()));

    expect(new Set(read)).toEqual(new Set(['retry: 1000\n\nevent: number\ndata: {"number":1}\n\n']));
  });

  it("says that it is quiet every 15 s, and waits for the next event only once meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const coming = Promise.withResolvers<IteratorResult<StreamedEvent>>();
    const waits = vi.spyOn(coming.promise, "then");
    const reader = respond({ [Symbol.asyncIterator]: () => ({ next: () => coming.promise }) })
      .body?.pipeThrough(new TextDecoderStream())
      .getReader();
    const said = [(await reader?.read())?.value];
    for (let count = 0; count < 3; count += 1) {
      const next = reader?.read();
      await vi.advanceTimersByTimeAsync(15_000);
      said.push((await next)?.value);
    }
    const waited = waits.mock.calls.length;

    coming.resolve({ done: false, value: { event: "number", data: { number: 7 } } });
    said.push((await reader?.read())?.value);

    expect(said).toEqual(["retry: 1000\n\n", ...Array<string>(3).fill(": quiet\n\n"), 'event: number\ndata: {"number":7}\n\n']);
    expect(waited).toBe(1);
  });
});
