import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { JobDetail, JobId, JobList, WorkerResult } from "../../src/schema/job.ts";
import { putMember } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCli, startCli } from "./run-cli.ts";
import type { CliResult } from "./run-cli.ts";
import { serveComposedHall } from "./serve-composed-hall.ts";

/** A hall with a worker that plays its tasks line by line, and the commands about jobs. */
async function hallWithWorker(others: Record<string, Parameters<typeof putMember>[2]> = {}) {
  const members = Object.entries({ scribe: playedWorker({ tools: true }), ...others });
  const prepare = (home: string) => Promise.all(members.map(([name, member]) => putMember(home, name, member)));
  const hall = await serveComposedHall({ prepare });
  await expect.poll(async () => (await hall.client.roster.get("scribe")).status).toBe("connected");
  const job = (...args: string[]): Promise<CliResult> => runCli(["job", ...args, "--home", hall.home]);
  return {
    ...hall,
    job,
    /** Answers the id of the new job. */
    dispatch: async (task: string): Promise<JobId> =>
      (await hall.client.jobs.dispatch("scribe", { description: task.split("\n", 1).join(""), task })).jobId,
  };
}

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
    const { job, client } = await hallWithWorker();

    const [followed, document, detached] = await Promise.all([
      job("dispatch", "scribe", wholeJob, "--description", "Tides", "--follow"),
      job("dispatch", "scribe", "result", "Twice a day.", "--config", '{ "maxTurns": 3 }', "--follow", "--json"),
      job("dispatch", "scribe", "say", "hello", "and", "goodbye"),
    ]);

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
    const { job } = await hallWithWorker({ toolbox: pliableMember() });

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
    const { job, dispatch, client } = await hallWithWorker();
    const done = await dispatch(wholeJob);
    const running = await dispatch("progress Half done\nwait");
    const beginning = done.slice(0, 8);
    const out = join(await temporaryFolder(), "out");

    const [list, needsYou, filtered, nonsense, shown, result, early] = await Promise.all([
      job("list"),
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
    expect(idsIn(needsYou)).toEqual([done]);
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
    const { job, dispatch } = await hallWithWorker();
    const waiting = await dispatch("wait");
    const failed = await dispatch("fail No tide.");

    const [cancelled, overAlready, kept] = await Promise.all([
      job("cancel", "scribe", waiting.slice(0, 8)),
      job("cancel", "scribe", failed),
      job("delete", "scribe", failed, "--yes"),
    ]);
    const unsure = await job("delete", "scribe", waiting);
    const [deleted, hidden] = await Promise.all([job("delete", "scribe", waiting, "--yes", "--json"), job("hide", "scribe", failed)]);
    const [gone, without, withHidden] = await Promise.all([job("show", "scribe", waiting), job("list"), job("list", "--hidden")]);
    const shown = await job("hide", "scribe", failed, "--undo");

    expect(cancelled).toMatchObject({ code: 0, stdout: `${waiting} is cancelled.\n` });
    expect(overAlready).toMatchObject({ code: 0, stdout: `${failed} was over already: failed.\n` });
    expect(unsure).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(deleted.stdout)).toEqual({ jobId: waiting, deleted: true });
    expect(gone.code).toBe(3);
    expect(kept.code).toBe(4);
    expect(hidden.stdout).toBe(`${failed} is hidden. List it with --hidden.\n`);
    expect(without.stdout).toBe("There are no jobs. Begin one with: guild-hall job dispatch <worker> <task>\n");
    expect(withHidden.stdout).toContain("failed (hidden)");
    expect(shown.stdout).toBe(`${failed} is in lists again.\n`);
  });
});

describe("guild-hall job watch", () => {
  it("looks on, leaves on Ctrl-C without stopping anything, and prints the result at the end", async () => {
    const { dispatch, client, home } = await hallWithWorker();
    const jobId = await dispatch("progress Half done\nwait\nresult All of it.");
    const watch = () => startCli(["job", "watch", "scribe", jobId.slice(0, 8), "--home", home]);

    const first = watch();
    await first.says(/… Half done/);
    first.pressCtrlC();
    const left = await first.ended;
    const { status } = await client.jobs.get("scribe", jobId);
    const second = watch();
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
