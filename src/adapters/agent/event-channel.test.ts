import { expect, it } from "vitest";
import { createEventChannel } from "./event-channel.ts";

it("delivers everything in order, what came before the reader and what was pushed last", async () => {
  const channel = createEventChannel<number>();
  channel.push(1);
  channel.push(2);
  const read: number[] = [];

  const reading = (async () => {
    for await (const event of channel) read.push(event);
  })();
  await Promise.resolve();
  channel.push(3);
  channel.close();
  channel.push(4);
  await reading;

  expect(read).toEqual([1, 2, 3]);
});
