import { expect, it } from "vitest";
import { createConversationLock } from "./conversation-lock.ts";

const never = new AbortController().signal;

it("lets one in at a time per conversation, in order, and others pass", async () => {
  const lock = createConversationLock();
  const order: string[] = [];

  const first = await lock.acquire("a", never);
  const second = lock.acquire("a", never).then((release) => {
    order.push("second");
    release();
  });
  const third = lock.acquire("a", never).then((release) => {
    order.push("third");
    release();
  });
  (await lock.acquire("b", never))();
  order.push("other");
  first();
  await Promise.all([second, third]);

  expect(order).toEqual(["other", "second", "third"]);
});

it("does not keep out those who come after one that gave up", async () => {
  const lock = createConversationLock();
  const first = await lock.acquire("a", never);
  const impatient = new AbortController();

  const waiting = lock.acquire("a", impatient.signal);
  impatient.abort(new Error("no time"));
  await expect(waiting).rejects.toThrow("no time");
  first();

  await expect(lock.acquire("a", never)).resolves.toBeTypeOf("function");
});
