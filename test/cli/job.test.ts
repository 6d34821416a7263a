import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { JobDetail, JobId, JobList, WorkerResult } from "../../src/schema/job.ts";
import { patience, putMember } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand, startCommand } from "./command.ts";
import { startCli } from "./run-cli.ts";
import type { CliResult } from "./run-cli.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";

/** A hall with workers that play their tasks line by line, one for the jobs of each test, and a member that is none. */
let hall: ServedHall;
let client: ServedHall["client"];
beforeAll(async () => {
  const members = { scribe: playedWorker({ tools: true }), clerk: playedWorker(), toolbox: pliableMember() };
  const prepare = (home: string) => Promise.all(Object.entries(members).map(([name, member]) => putMember(home, name, member)));
  hall = await openServedHall({ prepare });
  client = hall.client;
  await vi.waitUntil(async () => (await client.roster.list()).members.every(({ status }) => status === "connected"), patience);
  return hall.close;
});

const job = (...args: string[]): Promise<CliResult> => runCommand(["job", ...args, "--home", hall.home]);

/** Answers the id of the new job. */
const dispatch = async (worker: string, task: string): Promise<JobId> =>
  (await client.jobs.dispatch(worker, { description: task.split("\n", 1).join(""), task })).jobId;

const wholeJob = [
  "progress Looking for tides",
  "use Read",
  "ask Which harbour is meant?",
  "decide Which unit? | metres | everybody else uses them",
  "write tides.csv 1;2",
  "result # Tides\\n",
].join("\n");

const followUpOf = ({ stdout }: CliResult): JobId => z.object({ followUp: JobId }).parse(JSON.parse(stdout)).followUp;

describe("guild-hall job dispatch", () => {
  it("gives a worker a job, tells what happens on stderr, and prints the result (REQ-WD-5, REQ-WD-15)", async () => {
    const none = await job("list");
    const [followed, document, detached] = await Promise.all([
      job("dispatch", "scribe", wholeJob, "--description", "Tides", "--follow"),
      job("dispatch", "scribe", "result", "Twice a day.", "--config", '{ "maxTurns": 3 }', "--follow", "--json"),
      job("dispatch", "scribe", "say", "hello", "and", "goodbye"),
    ]);

    expect(none).toMatchObject({ code: 0, stdout: "There are no jobs. Begin one with: guild-hall job dispatch <worker> <task>\n" });
    expect(followed).toMatchObject({ code: 0, stdout: "# Tides\\n\n" });
    const [, question] = /: (guild-hall job answer scribe [-\w]+)\n/.exec(followed.stderr) ?? [];
    expect(followed.stderr.split("\n")).toEqual([
      "running: Started.",
      "… Looking for tides",
      '→ Read {"played":true}',
      "← Read: Read was played.",
      "? Which harbour is meant?",
      "! Which unit? → metres (everybody else uses them)",
      "+ artifacts/tides.csv (3 bytes)",
      "completed: Completed.",
      `One question waits for an answer: ${question}`,
      "1 turn, $0.01",
      "",
    ]);
    const { job: detail, result } = z.object({ job: JobDetail, result: WorkerResult }).parse(JSON.parse(document.stdout));
    expect(detail).toMatchObject({ worker: "scribe", status: "completed", description: "result Twice a day.", config: { maxTurns: 3 } });
    expect(result.output).toBe("Twice a day.");
    expect(detached.code).toBe(0);
    const jobId = JobId.parse(detached.stdout.trim());
    expect(detached.stderr).toBe(`scribe has the job. Look on with: guild-hall job watch scribe ${jobId}\n`);
    expect(await client.jobs.get("scribe", jobId)).toMatchObject({ task: "say hello and goodbye" });
  });

  it("says what is wrong, with the exit code for it (REQ-WD-44, REQ-WD-45)", async () => {
    const [failed, nothing, settings, stranger, tools] = await Promise.all([
      job("dispatch", "scribe", "fail The moon is away.", "--follow"),
      job("dispatch", "scribe", "-"),
      job("dispatch", "scribe", "say hello", "--config", "[1]"),
      job("dispatch", "nobody", "say hello"),
      job("dispatch", "toolbox", "say hello"),
    ]);

    expect(failed).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining("The job failed: The moon is away.\n") as unknown,
    });
    expect(nothing).toMatchObject({ code: 2, stdout: "", stderr: 'The task must be what the worker is to do, not "".\n' });
    expect(settings).toMatchObject({
      code: 2,
      stderr: `--config needs a JSON object, such as '{ "maxTurns": 20 }', and this is none: [1]\n`,
    });
    expect(stranger).toMatchObject({ code: 3, stderr: expect.stringContaining("nobody") as unknown });
    expect(tools).toMatchObject({ code: 4, stderr: expect.stringContaining("toolbox") as unknown });
  });
});

describe("jobs on the command line", () => {
  it("are listed, shown, taken out and answered, by the beginning of their ids (REQ-WD-8, REQ-WD-11)", async () => {
    const done = await dispatch("scribe", wholeJob);
    const running = await dispatch("scribe", "progress Half done\nwait");
    const beginning = done.slice(0, 8);
    const out = join(await temporaryFolder(), "out");

    const [list, needsYou, filtered, nonsense, shown, result, early] = await Promise.all([
      job("list", "--limit", "2"),
      job("list", "--needs-you", "--json"),
      job("list", "--filter", "progress Half*", "--status", "failed", "--status", "running", "--worker", "scribe", "--json"),
      job("list", "--status", "sleeping"),
      job("show", "scribe", beginning),
      job("result", "scribe", beginning, "--out", out),
      job("result", "scribe", running),
    ]);
    const answered = await job("answer", "scribe", beginning, "The one in Hamburg", "--json");
    const again = await job("answer", "scribe", beginning, "No, the other");
    const dismissed = await job("answer", "scribe", followUpOf(answered), "--dismiss");

    const idsIn = ({ stdout }: CliResult) => JobList.parse(JSON.parse(stdout)).jobs.map(({ jobId }) => jobId);
    expect(list.stdout).toMatch(
      new RegExp(`^scribe  ${running}  running    .*\\n    Half done\\nscribe  ${done}  completed  .*\\n    1 question waits`),
    );
    expect(idsIn(needsYou)).toContain(done);
    expect(idsIn(needsYou)).not.toContain(running);
    expect(idsIn(filtered)).toEqual([running]);
    expect(nonsense).toMatchObject({ code: 2, stderr: '--status must be running, completed, failed or cancelled, not "sleeping".\n' });
    expect(shown.stdout).toMatch(
      /status +completed\n[^]*turns +1 of at most 150\n[^]*\ntask\n  progress Looking[^]*\nquestions\n  1\. Which harbour[^]*\ndecisions\n  Which unit\? → metres/,
    );
    expect(result).toMatchObject({ code: 0, stdout: "# Tides\\n\n", stderr: `Saved ${join(out, "tides.csv")}\n` });
    expect(await readFile(join(out, "tides.csv"), "utf8")).toBe("1;2");
    expect(await readdir(out)).toEqual(["tides.csv"]);
    expect(early).toMatchObject({ code: 4, stdout: "" });
    const followUp = followUpOf(answered);
    expect(await client.jobs.get("scribe", followUp)).toMatchObject({
      task: expect.stringContaining("The one in Hamburg") as unknown,
      asked: [{ isOpen: false, answer: null, dismissedAt: expect.any(String) as unknown }],
    });
    expect(again).toMatchObject({
      code: 4,
      stderr: `This question was answered already, and scribe works on it in job ${followUp}.\n`,
    });
    expect(dismissed).toMatchObject({ code: 0, stdout: '"Which harbour is meant?" needs no answer any more.\n' });
  });

  it("are cancelled, deleted and hidden (REQ-WD-16, REQ-WD-17)", async () => {
    const waiting = await dispatch("clerk", "wait");
    const failed = await dispatch("clerk", "fail No tide.");

    const [cancelled, overAlready, kept] = await Promise.all([
      job("cancel", "clerk", waiting.slice(0, 8)),
      job("cancel", "clerk", failed),
      job("delete", "clerk", failed, "--yes"),
    ]);
    const unsure = await job("delete", "clerk", waiting);
    const [deleted, hidden] = await Promise.all([job("delete", "clerk", waiting, "--yes", "--json"), job("hide", "clerk", failed)]);
    const [gone, without, withHidden] = await Promise.all([
      job("show", "clerk", waiting),
      job("list", "--worker", "clerk"),
      job("list", "--worker", "clerk", "--hidden"),
    ]);
    const shown = await job("hide", "clerk", failed, "--undo");

    expect(cancelled).toMatchObject({ code: 0, stdout: `${waiting} is cancelled.\n` });
    expect(overAlready).toMatchObject({ code: 0, stdout: `${failed} was over already: failed.\n` });
    expect(unsure).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(deleted.stdout)).toEqual({ jobId: waiting, deleted: true });
    expect(gone.code).toBe(3);
    expect(kept.code).toBe(4);
    expect(hidden.stdout).toBe(`${failed} is hidden. List it with --hidden.\n`);
    expect(without.stdout).toBe("No job is like that.\n");
    expect(withHidden.stdout).toContain("failed (hidden)");
    expect(shown.stdout).toBe(`${failed} is in lists again.\n`);
  });
});

describe("guild-hall job watch", () => {
  it("looks on, leaves on Ctrl-C without stopping anything, and prints the result at the end", async () => {
    const jobId = await dispatch("scribe", "progress Half done\nwait\nresult All of it.");
    const words = ["job", "watch", "scribe", jobId.slice(0, 8), "--home", hall.home];

    // In a process of its own, which has to end.
    const first = startCli(words);
    await first.says(/… Half done/);
    first.pressCtrlC();
    const left = await first.ended;
    const { status } = await client.jobs.get("scribe", jobId);
    const second = startCommand(words);
    await second.says(/… Half done/);
    await client.tools.invoke({ member: (await client.jobs.get("scribe", jobId)).worker, tool: "go_on", input: { jobId } });

    expect(left).toMatchObject({
      code: 130,
      stdout: "",
      stderr: expect.stringContaining("Left. What runs on the hall goes on.") as unknown,
    });
    expect(status).toBe("running");
    expect(await second.ended).toMatchObject({ code: 0, stdout: "All of it.\n" });
  });
});
