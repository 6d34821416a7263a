import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { putMember } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand, startCommand } from "./command.ts";
import { rehearseIn } from "./rehearse-in.ts";
import { startCli } from "./run-cli.ts";

/** A home without a hall, with a worker that plays its tasks line by line, and a place for temporary files that can be looked into. */
async function stage() {
  const folder = await temporaryFolder();
  const home = join(folder, "home");
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  const scribe = await putMember(home, "scribe", playedWorker());
  rehearseIn(temporary);
  return {
    home,
    scribe,
    rehearse: (...args: string[]) => runCommand(["rehearse", ...args, "--home", home]),
    start: (...args: string[]) => startCommand(["rehearse", ...args, "--home", home]),
    /** In a process of its own, which has to end. */
    startProcess: (...args: string[]) => startCli(["rehearse", ...args, "--home", home], { env: { TMPDIR: temporary } }),
    leftBehind: () => readdir(temporary),
    script: async (text: string, name = "script.yaml"): Promise<string> => {
      const file = join(folder, name);
      await writeFile(file, text);
      return file;
    },
  };
}

const anyTurn = "turns:\n  - reply: { text: Done. }\n";

describe("guild-hall rehearse", () => {
  it("prints what a worker did, and ends by what the script expects of it", async () => {
    const { rehearse, script, leftBehind } = await stage();
    const file = await script(
      `${anyTurn}expect:\n  toolsCalled: [Read, Grep]\n  questions: harbour\n  artifacts: tides.csv\n  resultContains: twice\n`,
    );
    const task = "use Read\nask Which harbour?\ndecide Which unit? | metres | known\nwrite tides.csv 1;2\nresult Twice a day.";

    const { code, stdout, stderr } = await rehearse("scribe", "--script", file, "--task", task);

    expect(stderr).toContain("? Which harbour?\n");
    expect(stdout.split("\n").slice(1)).toEqual([
      "tools",
      '  → Read {"played":true}',
      "artifacts",
      "  artifacts/tides.csv",
      "questions",
      "  Which harbour?",
      "decisions",
      "  Which unit? → metres (known)",
      "result",
      "  Twice a day.",
      "expected",
      "  ok    status: completed",
      "  ok    toolsCalled: Read",
      "  FAIL  toolsCalled: Grep, but found was: Read",
      "  ok    artifacts: tides.csv",
      "  ok    resultContains: twice",
      "  ok    questions: harbour",
      "The rehearsal failed: 1 of 6 expectations were not met.",
      "",
    ]);
    expect(stdout).toMatch(/^The job of scribe ended: completed\. It took \d+\.\d s and asked the model 0 times\.\n/);
    expect(code).toBe(4);
    expect(await leftBehind()).toEqual([]);
  });

  it("ends a job that takes too long, and everything on Ctrl-C", async () => {
    const { rehearse, start, script, leftBehind } = await stage();
    const file = await script(anyTurn);

    const late = await rehearse("scribe", "--script", file, "--task", "wait", "--time-limit", "1");
    const running = start("scribe", "--script", file, "--task", "progress Half done\nwait");
    await running.says(/… Half done/);
    running.pressCtrlC();

    expect(late.stdout).toMatch(
      /^The job of scribe did not come to an end in time, and was cancelled\.[^]*FAIL  status: completed, but found was: cancelled/,
    );
    expect(late.code).toBe(4);
    expect(await running.ended).toMatchObject({ code: 130, stdout: "" });
    expect(await leftBehind()).toEqual([]);
  });

  // A worker that is asked has 30 seconds to answer.
  it("ends at once on Ctrl-C where the worker has stopped answering", { timeout: 25_000 }, async () => {
    const { startProcess, script, leftBehind } = await stage();

    const running = startProcess("scribe", "--script", await script(anyTurn), "--task", "progress Half done\nhush\nwait");
    await running.says(/… Half done/);
    running.pressCtrlC();

    expect(await running.ended).toMatchObject({ code: 130, stdout: "" });
    expect(await leftBehind()).toEqual([]);
  });

  it("says what is wrong with what it was given, with the exit code for it", async () => {
    const { script, home, rehearse } = await stage();
    await putMember(home, "toolbox", pliableMember());
    await putMember(home, "broken", { ...playedWorker(), mcp: { command: "node", args: ["not-there.ts"], env: {} } });
    const good = await script(anyTurn);
    const bad = await script(`${anyTurn}expect:\n  tools: Read\n`, "bad.yaml");

    const [mistake, without, stranger, tools, broken] = await Promise.all([
      rehearse("scribe", "--script", bad),
      rehearse("scribe"),
      rehearse("nobody"),
      rehearse("toolbox"),
      rehearse("broken", "--script", good),
    ]);

    expect(mistake).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`${bad} line 4: unknown key "tools"`) as unknown,
    });
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("name one with --script <file>") as unknown });
    expect(stranger).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no member "nobody"') as unknown });
    expect(tools).toMatchObject({ code: 4, stderr: 'toolbox takes no jobs: its manifest does not name the capability "worker".\n' });
    expect(broken).toMatchObject({ code: 4, stderr: expect.stringContaining("not-there.ts") as unknown });
  });
});
