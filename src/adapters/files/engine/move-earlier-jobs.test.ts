import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { consume, oneAttempt, recorder, settlements, untilEnded } from "../../../core/engine/job-handlers.testing.ts";
import type { Disk } from "../disk.ts";
import { createDyingDisk, PowerCut } from "../failing-disk.testing.ts";
import { failureOf } from "../failure-of.testing.ts";
import { createLayout } from "../layout.ts";
import { createFileJobEngine } from "./job-engine.ts";

const at = "2026-01-05T09:00:30.000Z";
const runner = { pid: 41, started: "1234", machine: "m", boot: "b", namespace: "pid:[4026531836]" };
const submitted = (id: string, order: number) =>
  document({ id, kind: "test", lane: "ses_a", payload: { text: id }, order, submittedAt: at });
const taken = (attempt: number, released: boolean) => document({ attempt, runner, startedAt: at, released });
const cancelled = document({ requestedAt: at });
const ended = (id: string, state: string) =>
  document({ id, kind: "test", lane: "ses_a", state, attempt: 1, submittedAt: at, startedAt: at, endedAt: at, failure: null });

/** A folder of records as the halls left it that could share it with other processes. */
const records = {
  "engine.lock": "",
  "engine.lock-journal": "",
  "open/second.job.json": submitted("second", 1767603630000002),
  "open/first.job.json": submitted("first", 1767603630000001),
  "open/begun.job.json": submitted("begun", 1767603630000003),
  "open/begun.lease-1.json": taken(1, false),
  "open/twice.job.json": submitted("twice", 1767603630000004),
  "open/twice.lease-1.json": taken(1, true),
  "open/twice.lease-2.json": taken(2, true),
  "open/stopped.job.json": submitted("stopped", 1767603630000005),
  "open/stopped.cancel.json": cancelled,
  "open/late.job.json": submitted("late", 1767603630000006),
  "open/late.lease-1.json": taken(1, false),
  "ended/late.json": ended("late", "completed"),
  "ended/done.json": ended("done", "failed"),
  "open/torn.job.json": submitted("torn", 1767603630000007).slice(0, 90),
  "open/.half.job.json.4194305-zz-zz.tmp": submitted("half", 1767603630000008).slice(0, 90),
};

describe("the records of earlier halls", () => {
  it("are moved: what waited runs in its order, what had begun or was cancelled is settled, and what had ended stays so", async () => {
    const home = await homeWith(records);
    const { handler, ran } = recorder();
    const { settle, settled } = settlements();
    const { engine, problems } = await start(home);

    const open = await engine.listOpen("test");
    await consume(engine, handler, oneAttempt, settle);
    await untilEnded(engine, "second");

    expect(open[0]).toMatchObject({ id: "first", lane: "ses_a", groups: [], priority: 0, labels: [], notBefore: null, attempt: 0 });
    expect(open[0]).toMatchObject({ payload: { text: "first" }, submittedAt: at });
    expect(open.map(({ id, attempt }) => [id, attempt])).toEqual([
      ["first", 0],
      ["second", 0],
      ["begun", 1],
      ["twice", 2],
      ["stopped", 0],
    ]);
    expect(ran).toEqual(["first", "second"]);
    expect(settled.toSorted()).toEqual(["begun failed 1", "stopped cancelled 0", "twice failed 2"]);
    expect(await engine.get("late")).toMatchObject({ state: "completed" });
    expect(await engine.get("done")).toMatchObject({ state: "failed", groups: [], submittedAt: at });
    expect(problems).toHaveLength(1);
    expect(await namesIn(home)).not.toContain("queries");
  });

  it("stay as they are where they are broken: reported at each start, and refused when asked for", async () => {
    const home = await homeWith(records);
    await (await start(home)).engine.close();

    const { engine, problems } = await start(home);

    expect(problems).toMatchObject([{ code: "file_broken" }]);
    expect((await failureOf(engine.get("torn"))).code).toBe("file_broken");
    const moved = createLayout(home).engine.folder;
    expect(await readFile(join(moved, "open/torn.job.json"), "utf8")).toBe(records["open/torn.job.json"]);
  });

  it("are all there whenever the move was cut off, and the next start moves the rest", async () => {
    const home = await homeWith(records);
    const whole = await temporaryFolder();
    await (await start(await copyOf(home, whole))).engine.close();
    const expected = await recordsIn(whole);

    let cuts = 0;
    for (let isOver = false; !isOver; cuts += 1) {
      const copy = await copyOf(home, await temporaryFolder());
      isOver = await start(copy, createDyingDisk(cuts)).then(
        ({ engine }) => engine.close().then(() => true),
        (error: unknown) => {
          if (!(error instanceof PowerCut)) throw error;
          return false;
        },
      );
      const left = await recordsIn(copy);
      expect(Object.keys(left)).toEqual(expect.arrayContaining(Object.keys(expected)));
      await (await start(copy)).engine.close();
      expect(await recordsIn(copy)).toEqual(expected);
    }

    expect(cuts).toBeGreaterThan(Object.keys(expected).length);
  });

  it("are not moved over others of the same name, which is reported", async () => {
    const home = await homeWith(records);
    const { open } = createLayout(home).engine;
    await mkdir(open, { recursive: true });
    await writeFile(join(open, "first.job.json"), submitted("first", 1));

    const { problems } = await start(home);

    expect(problems.map(String)).toEqual([
      expect.stringContaining("queries/open/first.job.json was not moved"),
      expect.stringContaining("torn.job.json is broken"),
    ]);
    expect(await readFile(join(home, "state/queries/open/first.job.json"), "utf8")).toBe(records["open/first.job.json"]);
    expect(await readFile(join(open, "first.job.json"), "utf8")).toBe(submitted("first", 1));
  });
});

function document(body: object): string {
  return `${JSON.stringify({ version: 1, ...body }, null, 2)}\n`;
}

async function homeWith(files: Record<string, string>): Promise<string> {
  const home = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    const file = join(home, "state/queries", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return home;
}

async function copyOf(home: string, copy: string): Promise<string> {
  await cp(home, copy, { recursive: true });
  return copy;
}

async function start(home: string, disk?: Disk) {
  const layout = createLayout(home);
  const problems: unknown[] = [];
  const engine = createFileJobEngine({
    folder: layout.engine.folder,
    earlierFolder: layout.earlierEngine.folder,
    onProblem: (problem) => problems.push(problem),
    ...(disk === undefined ? {} : { disk }),
  });
  await engine.start();
  onTestFinished(async () => {
    await engine.close();
  });
  return { engine, problems };
}

const namesIn = (home: string): Promise<string[]> => readdir(join(home, "state"));

/** By their names, wherever they are. Those left in `open` of a job that ended may be cleared away. */
async function recordsIn(home: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(join(home, "state"), { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".json") || /^late\.(job|lease)/.test(entry.name)) continue;
    found[entry.name] = await readFile(join(entry.parentPath, entry.name), "utf8");
  }
  return found;
}
