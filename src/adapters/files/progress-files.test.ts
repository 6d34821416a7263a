import { appendFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { ProgressStore } from "../../core/run/progress-store.ts";
import { newMessageId } from "../../schema/ids.ts";
import type { MessageId } from "../../schema/ids.ts";
import { createProgressFiles } from "./progress-files.ts";

describe("the progress of queries on disk", () => {
  it("gives back any part of what was appended, in pieces of any size", async () => {
    const store = createProgressFiles(await temporaryFolder());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(lineOfText, { maxLength: 90 }), { maxLength: 6 }),
        fc.nat(400),
        fc.nat(400),
        async (batches, from, most) => {
          const file = store.open(newMessageId());
          for (const batch of batches) await file.append(batch);
          await file.seal();

          const all = batches.flat();

          expect(await file.read(Math.min(from, all.length), most)).toEqual(all.slice(from, from + most));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is there for the next life of the hall, but for a line that was being written", async () => {
    const folder = await temporaryFolder();
    const query = newMessageId();
    await write(createProgressFiles(folder), query, ["one", "two"]);
    await appendFile(join(folder, `${query}.jsonl`), "thr");

    expect(await createProgressFiles(folder).readLeft(query)).toEqual(["one", "two", "thr"]);
    expect(await createProgressFiles(folder).readLeft(newMessageId())).toEqual([]);
  });

  it("removes what nobody will ask for again", async () => {
    const folder = await temporaryFolder();
    const store = createProgressFiles(folder);
    const [kept, left] = [newMessageId(), newMessageId()];
    for (const query of [kept, left]) await write(store, query, ["x"]);
    await writeFile(join(folder, "stray"), "");

    await store.keepOnly([kept]);

    expect(await readdir(folder)).toEqual([`${kept}.jsonl`]);
  });
});

async function write(store: ProgressStore, query: MessageId, lines: string[]): Promise<void> {
  const file = store.open(query);
  await file.append(lines);
  await file.seal();
}

const lineOfText = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => JSON.stringify(text));
