import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createLayout } from "./layout.ts";
import { sweepLeftovers } from "./leftovers.ts";

const now = Date.parse("2026-06-01T00:00:00.000Z");
const days = (count: number) => new Date(now - count * 24 * 60 * 60 * 1000);

async function homeWith(files: Record<string, number>) {
  const layout = createLayout(await temporaryFolder());
  for (const [path, age] of Object.entries(files)) {
    await mkdir(dirname(join(layout.home, path)), { recursive: true });
    await writeFile(join(layout.home, path), "");
    await utimes(join(layout.home, path), days(age), days(age));
  }
  const left = async () => {
    const entries = await readdir(layout.home, { recursive: true, withFileTypes: true });
    return entries
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(layout.home.length + 1))
      .toSorted();
  };
  return { layout, left };
}

describe("leftovers", () => {
  it("of queries that ended, of agents and of writers that died are removed, and nothing else", async () => {
    const kept = {
      "state/engine/ended/msg_new.json": 0.5,
      "state/engine/open/msg_old.job.json": 100,
      "claude/config/.claude.json": 100,
      "claude/config/projects/a/1.jsonl": 100,
      "claude/config/todos/new.json": 1,
      "sessions/ses_a/session.json": 100,
      "sessions/ses_a/artifacts/.report.4194304-abc-def.tmp": 100,
    };
    const gone = {
      "state/engine/ended/msg_old.json": 2,
      "claude/config/todos/old.json": 8,
      "claude/config/shell-snapshots/old/deep.sh": 8,
      "sessions/ses_a/.session.json.4194304-abc-def.tmp": 0,
      "state/agents/.1.json.4194304-abc-def.tmp": 0,
    };
    const { layout, left } = await homeWith({ ...kept, ...gone });
    await utimes(join(layout.claude.config, "shell-snapshots/old"), days(8), days(8));

    const removed = await sweepLeftovers({ layout, now, recentSessions: ["ses_a"] });

    expect(removed).toBe(Object.keys(gone).length);
    expect(await left()).toEqual(Object.keys(kept).toSorted());
  });

  it("that are backups are removed but for the last few", async () => {
    const backups = Array.from({ length: 9 }, (_, at) => `claude/config/backups/.claude.json.backup.179474261447${at}`);
    const { layout, left } = await homeWith(Object.fromEntries(backups.map((path) => [path, 0])));

    await sweepLeftovers({ layout, now, recentSessions: [] });

    expect(await left()).toEqual(backups.slice(-5));
  });

  it("are none in a home that is new", async () => {
    const { layout } = await homeWith({});

    expect(await sweepLeftovers({ layout, now, recentSessions: ["ses_gone"] })).toBe(0);
  });
});
