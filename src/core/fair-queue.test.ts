import { describe, expect, it } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

const never = new AbortController().signal;

describe("a fair queue", () => {
  it("gives room to as many as it has, and not to one more", async () => {
    const queue = createFairQueue(2);
    let waited = 0;

    const release = await queue.acquire("a", never);
    await queue.acquire("a", never, () => (waited += 1));
    const third = queue.acquire("a", never, () => (waited += 1));

    expect(queue.load()).toEqual({ held: 2, waiting: 1 });
    release();
    await third;
    expect(queue.load()).toEqual({ held: 2, waiting: 0 });
    expect(waited).toBe(1);
  });

  it("lets lanes take turns, and serves a lane in the order of arrival", async () => {
    const queue = createFairQueue(1);
    const served: string[] = [];
    const first = await queue.acquire("busy", never);
    const enter = async (lane: string, name: string) => {
      const release = await queue.acquire(lane, never);
      served.push(name);
      release();
    };

    const all = [
      enter("busy", "busy 1"),
      enter("busy", "busy 2"),
      enter("busy", "busy 3"),
      enter("quiet", "quiet 1"),
      enter("other", "other 1"),
    ];
    first();
    await Promise.all(all);

    expect(served).toEqual(["busy 1", "quiet 1", "other 1", "busy 2", "busy 3"]);
  });

  it("forgets who gave up waiting", async () => {
    const queue = createFairQueue(1);
    const release = await queue.acquire("a", never);
    const impatient = new AbortController();

    const waiting = queue.acquire("a", impatient.signal);
    impatient.abort(new Error("no time"));

    await expect(waiting).rejects.toThrow("no time");
    expect(queue.load()).toEqual({ held: 1, waiting: 0 });
    await expect(queue.acquire("a", impatient.signal)).rejects.toThrow("no time");
    release();
    expect(queue.load()).toEqual({ held: 0, waiting: 0 });
  });

  it("takes room back once, however often it is given back", async () => {
    const queue = createFairQueue(1);
    const release = await queue.acquire("a", never);

    release();
    release();
    await queue.acquire("a", never);

    expect(queue.load()).toEqual({ held: 1, waiting: 0 });
  });
});
