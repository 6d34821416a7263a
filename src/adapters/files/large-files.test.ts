import { mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import { readConfig } from "./config-file.ts";
import { defineDocument } from "./document.ts";
import { readHallRecord } from "./hall-record.ts";
import { checkHomeVersion } from "./home-version.ts";
import { createIndexFiles } from "./index/index-files.ts";
import { createLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { readPersonKey } from "./person-key.ts";
import { createProgressFiles } from "./progress-files.ts";
import { readJsonLines } from "./read-json-lines.ts";
import { readLastLines } from "./tail-lines.ts";

/** More than Node can hold as text, and more than it can read at once. It takes no room on the disk. */
const sizes = [600, 2_200].map((mebibytes) => mebibytes * 1024 * 1024);

async function enlarge(path: string, bytes: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "w");
  await file.truncate(bytes);
  await file.close();
}

const session = newSessionId();
const query = newMessageId();
const document = defineDocument(z.object({}));

describe("a file of the home that is far too large (SEC-15)", () => {
  const read: [string, (layout: Layout) => string, (layout: Layout) => Promise<unknown>][] = [
    ["config.yaml", ({ config }) => config, ({ config }) => readConfig(config)],
    ["version", ({ version }) => version, checkHomeVersion],
    ["person.key", ({ personKey }) => personKey, readPersonKey],
    ["session.json", (layout) => layout.session(session).record, (layout) => document.read(layout.session(session).record)],
    [
      "messages.jsonl",
      (layout) => layout.session(session).messages,
      (layout) => readLastLines(layout.session(session).messages, { limit: 50 }),
    ],
    [
      "state/progress/….jsonl",
      ({ progress }) => join(progress, `${query}.jsonl`),
      ({ progress }) => createProgressFiles(progress).readLeft(query),
    ],
    ["state/spending.jsonl", ({ spending }) => spending, ({ spending }) => readJsonLines(spending, z.object({}))],
  ];

  it.each(read)("is named in words, and left as it is: %s", async (_name, pathIn, reading) => {
    const layout = createLayout(await temporaryFolder());
    const path = pathIn(layout);
    for (const bytes of sizes.slice(path.endsWith("messages.jsonl") ? 1 : 0)) {
      await enlarge(path, bytes);

      await expect(reading(layout)).rejects.toMatchObject({
        code: "file_broken",
        message: expect.stringContaining(`${path} is broken: `) as string,
      });
      expect((await stat(path)).size).toBe(bytes);
    }
  });

  it("counts as no record of a hall, which each start writes again", async () => {
    const layout = createLayout(await temporaryFolder());
    await enlarge(layout.hallRecord, sizes[0] ?? 0);

    expect(await readHallRecord(layout)).toBeNull();
  });
});

it.each(["snapshot", "journal"])("an index with a %s that is far too large is thrown away unread", async (ending) => {
  const folder = await temporaryFolder();
  const files = createIndexFiles(folder, "sessions");
  const entry = { name: "a", rank: "1", label: "idle", stamp: "1", text: "", packed: "[]" };
  await files.replace(() => [entry]);
  files.append({ put: { ...entry, name: "b" } });
  await files.flush();
  const whole = await createIndexFiles(folder, "sessions").load();
  await enlarge(join(folder, `sessions.2.${ending}`), sizes[1] ?? 0);

  const found = await createIndexFiles(folder, "sessions").load();

  expect([...(whole ?? new Map<string, unknown>()).keys()]).toEqual(["a", "b"]);
  expect([found, await readdir(folder)]).toEqual([null, []]);
});
