import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createDiskMeter } from "./disk-usage.ts";
import type { MeasuredDisk } from "./disk-usage.ts";

async function homeWith(files: Record<string, number>): Promise<string> {
  const home = await temporaryFolder();
  for (const [path, size] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), Buffer.alloc(size, 1));
  }
  return home;
}

function meterOf(home: string, options: { waitMs?: number; goodForMs?: number } = {}) {
  const meter = createDiskMeter({ home, ...options });
  onTestFinished(meter.close);
  return meter;
}

const filesOf = ({ parts }: MeasuredDisk) =>
  Object.fromEntries(parts.filter(({ files }) => files > 0).map(({ name, files }) => [name, files]));

describe("what a home takes", () => {
  it("is told part by part, each file in one of them", async () => {
    const home = await homeWith({
      version: 2,
      "sessions/a/session.json": 10,
      "sessions/a/artifacts/deep/report.pdf": 300_000,
      "claude/config/projects/a/1.jsonl": 10,
      "claude/config/.claude.json": 10,
      "claude/tmp/x": 10,
      "guild-members/researcher/guild-member.json": 10,
      "guild-members/researcher/jobs/1/status.json": 10,
      "guild-members/team/writer/jobs/1/status.json": 10,
      "guild-members/team/writer/server.ts": 10,
      "state/hall.json": 10,
      ".index/messages.sqlite": 10,
      "logs/hall.log": 10,
    });
    await symlink("/usr", join(home, "node_modules"));

    const usage = await meterOf(home).usage();

    expect(filesOf(usage)).toEqual({ sessions: 2, transcripts: 1, agent: 2, jobs: 2, members: 2, state: 3, index: 1, logs: 1 });
    const sessions = usage.parts.find(({ name }) => name === "sessions");
    expect(sessions).toMatchObject({ isWhole: true });
    expect(sessions?.bytes).toBeGreaterThanOrEqual(300_000);
    expect(usage.freeBytes).toBeGreaterThan(0);
  });

  it("is the sum of all of it, however many files are looked at beside each other", async () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`sessions/s${at % 20}/artifacts/${at}`, 20_000]));
    const home = await homeWith(files);

    const { parts } = await meterOf(home).usage();

    expect(parts.find(({ name }) => name === "sessions")?.bytes).toBeGreaterThanOrEqual(200 * 20_000);
  });

  it("is nothing where there is no home yet", async () => {
    const usage = await meterOf(join(await temporaryFolder(), "none")).usage();

    expect(filesOf(usage)).toEqual({});
    expect(usage.freeBytes).toBeGreaterThan(0);
  });

  it("is not measured again for a while, and is then measured behind the answer", async () => {
    const home = await homeWith({ "logs/1": 1 });
    const lasting = meterOf(home);
    const short = meterOf(home, { goodForMs: 0 });
    await Promise.all([lasting.usage(), short.usage()]);
    await writeFile(join(home, "logs/2"), "");

    const again = [await lasting.usage(), await short.usage()];

    expect(again.map(filesOf)).toEqual([{ logs: 1 }, { logs: 1 }]);
    await expect.poll(async () => filesOf(await short.usage())).toEqual({ logs: 2 });
    expect(filesOf(await lasting.usage())).toEqual({ logs: 1 });
  });

  it("is told as far as it is known to somebody who would wait too long", async () => {
    const home = await homeWith(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`sessions/${at}/session.json`, 1])));
    const meter = meterOf(home, { waitMs: 0 });

    const first = await meter.usage();

    expect(first.parts.find(({ name }) => name === "sessions")?.isWhole).toBe(false);
    await expect.poll(async () => filesOf(await meter.usage())).toEqual({ sessions: 300 });
  });

  it("is known part by part, and what is usually small before the many sessions", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`sessions/${at}/session.json`, 1]));
    const home = await homeWith({
      ...many,
      "logs/hall.log": 1,
      "claude/config/projects/a/1.jsonl": 1,
      "guild-members/a/jobs/1/job.json": 1,
    });
    const meter = meterOf(home, { waitMs: 0 });
    const seen = new Map<string, MeasuredDisk>();

    await expect
      .poll(
        async () => {
          const usage = await meter.usage();
          const whole = usage.parts.filter(({ isWhole }) => isWhole).map(({ name }) => name);
          seen.set(whole.toSorted().join(), usage);
          return whole.length;
        },
        { interval: 0 },
      )
      .toBe(8);

    const before = seen.get("agent,index,jobs,logs,members,state,transcripts");
    expect(before === undefined ? null : filesOf({ ...before, parts: before.parts.filter(({ isWhole }) => isWhole) })).toEqual({
      transcripts: 1,
      jobs: 1,
      logs: 1,
    });
  });
});
