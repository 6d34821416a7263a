import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MemberName } from "../../../schema/ids.ts";
import { createLayout } from "../layout.ts";
import { createMemberRecords } from "./member-records.ts";

const broken = MemberName.parse("broken");
const whole = MemberName.parse("whole");
const start = { mark: "m:1", port: null, startedAt: "2026-01-05T08:59:59.000Z" };

async function setRecords() {
  const layout = createLayout(join(await temporaryFolder(), "home"));
  const problems: string[] = [];
  const records = createMemberRecords({ layout, onProblem: (error) => problems.push(error instanceof Error ? error.message : "") });
  await mkdir(layout.memberStates, { recursive: true });
  return { layout, problems, records, files: async () => (await readdir(layout.memberStates)).toSorted() };
}

describe("a record of a running member that cannot be read", () => {
  it.each([
    ["is cut off", "{ half"],
    ["has something else in it", '{ "version": 1, "mark": 7 }'],
    ["is of a newer hall", '{ "version": 99 }'],
  ])("because it %s is told and kept, and the others are read", async (_why, text) => {
    const { layout, problems, records, files } = await setRecords();
    await records.begin(whole, start);
    await writeFile(layout.memberState(broken), text);

    const left = await records.leftBehind();

    expect(left).toEqual([{ name: whole, mark: "m:1", process: null }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`It is kept as ${join(layout.memberStates, "broken.broken.json")}.`);
    expect(await files()).toEqual(["broken.broken.json", "whole.json"]);
    expect(await readFile(join(layout.memberStates, "broken.broken.json"), "utf8")).toBe(text);
  });

  it("is never written over, neither by the next start nor by the next broken one", async () => {
    const { layout, problems, records, files } = await setRecords();
    await writeFile(layout.memberState(broken), "first");
    await records.leftBehind();
    await writeFile(layout.memberState(broken), "second");

    await records.begin(broken, start);

    expect(problems).toHaveLength(2);
    expect(await files()).toEqual(["broken.broken-2.json", "broken.broken.json", "broken.json"]);
    expect(await readFile(join(layout.memberStates, "broken.broken-2.json"), "utf8")).toBe("second");
    expect(await records.leftBehind()).toEqual([{ name: broken, mark: "m:1", process: null }]);
  });

  it("because a folder stands in its place is told and kept too", async () => {
    const { layout, problems, records, files } = await setRecords();
    await records.begin(whole, start);
    await mkdir(layout.memberState(broken));

    const left = await records.leftBehind();

    expect(left).toEqual([{ name: whole, mark: "m:1", process: null }]);
    expect(problems).toHaveLength(1);
    expect(await files()).toEqual(["broken.broken.json", "whole.json"]);
  });
});
