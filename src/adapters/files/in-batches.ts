import { setImmediate as breathe } from "node:timers/promises";

/** Few at a time, with a breath in between: looking at 100,000 files must not be felt by anybody who asks something else. */
export async function inBatches<Item>(items: Iterable<Item>, size: number, work: (item: Item) => Promise<void>): Promise<void> {
  let batch: Promise<void>[] = [];
  for (const item of items) {
    batch.push(work(item));
    if (batch.length < size) continue;
    await Promise.all(batch);
    await breathe();
    batch = [];
  }
  await Promise.all(batch);
}
