import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readEventStream } from "../../client/event-stream.ts";
import { eventResponse } from "./event-response.ts";

const Numbered = z.object({ event: z.literal("number"), data: z.object({ number: z.number() }) });

async function* numbers(count: number, taken?: (number: number) => void) {
  for (let number = 0; number < count; number += 1) {
    taken?.(number);
    yield { id: `n.${number}`, event: "number", data: { number } };
  }
}

describe("an event answer", () => {
  it("is read back by the client event by event, with its ids", async () => {
    const seen = [];
    for await (const each of readEventStream(
      eventResponse(numbers(3), () => undefined),
      Numbered,
    ))
      seen.push(each);

    expect(seen.map(({ id, event }) => [id, event.data.number])).toEqual([
      ["n.0", 0],
      ["n.1", 1],
      ["n.2", 2],
    ]);
  });

  it("takes no more from its source than the client reads (SEC-15)", async () => {
    let taken = 0;
    const response = eventResponse(
      numbers(100_000, () => (taken += 1)),
      () => undefined,
    );
    const reader = response.body?.getReader();

    await reader?.read();
    await reader?.read();

    expect(taken).toBeLessThan(10);
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
    const response = eventResponse(endless, () => (ended += 1));
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
    const response = eventResponse(failing, () => (ended += 1));

    await expect(response.text()).rejects.toThrow("gone");

    expect(ended).toBe(1);
  });
});
