import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { RunDetail, RunsState } from "../../src/schema/run.ts";
import { Message } from "../../src/schema/session.ts";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ReplyFunction } from "../../src/scripted-model/server.ts";
import { runCommand, startCommand } from "./command.ts";
import type { CommandOptions } from "./typed-command.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";

const patience = { timeout: 20_000, interval: 50 };

/** Whether the model's usage limit is reached. */
const usage = { isReached: false };
/** Whether the model has refused a request because it is busy. */
const busy = { isOver: false };

const glob = { tools: [{ name: "Glob", input: { pattern: "*.none" } }] };

/** "Look twice" takes three turns; with one allowed, the first look is all there is. */
const reply: ReplyFunction = (request) => {
  const { userTexts } = readConversation(request);
  if (userTexts.join().includes("usage limit") && usage.isReached) return { error: { status: 429, message: "no more", retryAfter: 3600 } };
  const looks = request.messages.filter(({ role }) => role === "assistant").length;
  if (userTexts.join().includes("Look on")) return lookOn(looks);
  return userTexts.join().includes("Look twice") && looks < 2 ? { text: "I look.", ...glob } : { text: "Done." };
};

/** Five turns. The first has to be asked for twice. */
function lookOn(looks: number): ReturnType<ReplyFunction> {
  if (!busy.isOver) {
    busy.isOver = true;
    return { error: { status: 529, message: "busy" } };
  }
  return looks < 4 ? { text: "I look.", ...glob } : { text: "Done." };
}

let hall: ServedHall;
let client: ServedHall["client"];
beforeAll(async () => {
  const model = await startScriptedModel({ script: reply });
  hall = await openServedHall({
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-this-test" },
    async prepare(home) {
      await mkdir(join(home, "workers"), { recursive: true });
      const worker = "name: looker\ninstructions: You look.\nbuilt_in_tools: [Glob]\nlimits: { max_turns: 1 }\n";
      await writeFile(join(home, "workers/looker.yaml"), worker);
      await writeFile(join(home, "workers/walker.yaml"), worker.replace("looker", "walker").replace("max_turns: 1", "max_turns: 5"));
    },
  });
  client = hall.client;
  return async () => {
    await hall.close();
    await model.close();
  };
});

const type = (...args: string[]) => runCommand([...args, "--home", hall.home]);
const start = (args: string[], options: CommandOptions = {}) => startCommand([...args, "--home", hall.home], options);

/** A session whose messages may take one turn. */
const short = (name: string) => client.sessions.create({ name, limits: { maxTurns: 1 } });
const waitOf = async (id: SessionId) => (await client.sessions.get(id)).session.waitingFor;

describe("a run that waits for the model's usage limit", () => {
  it("says when it resets and is followed until a person tries at once; Ctrl-C leaves it waiting", async () => {
    usage.isReached = true;
    const { id } = await client.sessions.create({ name: "Limited" });
    const left = start(["session", "send", id, "Meet the usage limit."]);
    const said = await left.says(/The model's usage limit resets at .*/);
    left.pressCtrlC();
    const leaving = await left.ended;
    const shown = await type("session", "show", id);
    const listed = await type("session", "list");
    const tail = start(["session", "tail", id, "--once"]);
    await tail.says(/resets at/);

    usage.isReached = false;
    const tried = await type("session", "try-now", id, "--json");
    const { code, stdout, stderr } = await tail.ended;
    const again = await type("session", "try-now", id);

    expect(said).toMatch(
      /resets at [\d: -]+ \(in \d+ min\)\. Waiting since [\d: -]+\. Ctrl-C leaves it waiting\. Try at once with: guild-hall session try-now ses_\w+$/,
    );
    expect(leaving).toMatchObject({ code: 130, stderr: expect.stringContaining("Left. What runs on the hall goes on.") as string });
    expect(shown.stdout).toMatch(/^waits +The model's usage limit resets at/m);
    expect(listed.stdout).toMatch(/^ {4}The model's usage limit resets at/m);
    expect(RunDetail.parse(JSON.parse(tried.stdout)).owner).toEqual({ kind: "session", id });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toContain("\nIt resumes.\n");
    expect(again).toMatchObject({ code: 4, stderr: 'Nothing runs in session "Limited".\n' });
  });
});

describe("a run that waits at its own limit", () => {
  it("does not hold the command, which names what a person can do; raised, it resumes and reads the note that waits for it", async () => {
    const { id } = await short("Turns");

    const sent = await type("session", "send", id, "Look twice.");
    const queued = await type("session", "send", id, "Wait.", "--queue", "--json");
    const seen = await type("session", "tail", id, "--json");
    const noted = await type("session", "note", id, "Be brief.", "--json");
    const low = await type("session", "raise", id, "1");
    const wrong = await type("session", "raise", id, "2.5");
    const raised = await type("session", "raise", id, "2");
    const again = await type("session", "tail", id, "--once");
    await type("session", "raise", id, "3");
    const tail = await type("session", "tail", id, "--once");

    expect(sent.code).toBe(4);
    expect(sent.stdout).toBe("I look.\n");
    expect(sent.stderr).toMatch(/^The answer has taken 1 turn, and its limit is 1\. Waiting since [\d: -]+\.$/m);
    expect(sent.stderr).toContain(`
It waits until you decide:
  guild-hall session raise ${id} <turns>  raises the limit, and it resumes
  guild-hall session finish ${id}         ends it with what there is
  guild-hall session stop ${id}           stops it
`);
    expect(queued.code).toBe(4);
    expect(queued.stdout).toContain("Your message stays in the queue, behind one that waits at a limit");
    expect(JSON.parse(seen.stdout)).toMatchObject({ session: { waitingFor: { kind: "budget" } }, error: { code: "max_turns" } });
    expect(Message.parse(JSON.parse(noted.stdout)).note).toEqual({ readAt: null });
    expect(low).toMatchObject({
      code: 4,
      stderr: "Give a limit above 1 turn. It is 1 turn now, and 1 turn is used.\n",
    });
    expect(wrong.code).toBe(2);
    expect(raised).toMatchObject({ code: 0, stdout: '"Turns" resumes. It may take up to 2 turns now.\n' });
    expect(again).toMatchObject({
      code: 4,
      stdout: "I look.\n\nI look.\n",
      stderr: expect.stringContaining("The answer has taken 2 turns") as string,
    });
    expect(tail.code).toBe(0);
    expect((await client.sessions.get(id)).messages.filter(({ note }) => note !== undefined)).toHaveLength(1);
  });

  it("is finished with what there is", async () => {
    const { id } = await short("Finish");
    await type("session", "send", id, "Look twice.");

    const finished = await type("session", "finish", id);
    await vi.waitUntil(async () => (await client.sessions.get(id)).session.status === "idle", patience);

    expect(finished).toMatchObject({ code: 0, stdout: '"Finish" ends with what there is.\n' });
    expect((await client.sessions.get(id)).session.error).toBeNull();
  });

  it("asks the person at a terminal, and is left waiting by Enter", async () => {
    const [raised, left] = [await short("Asked"), await short("Left")];

    const keyboard = new PassThrough();
    const asked = start(["session", "send", raised.id, "Look twice."], { isTTY: true, stdin: keyboard });
    await asked.says(/Raise it to how many turns\?/);
    keyboard.write("many\n");
    await asked.says(/not "many"/);
    keyboard.write("1\n");
    await asked.says(/Give a limit above 1 turn/);
    keyboard.write("9\n");
    const answered = await asked.ended;
    const entered = await start(["session", "send", left.id, "Look twice."], { isTTY: true, stdin: "\n" }).ended;

    expect(answered).toMatchObject({ code: 0, stdout: "I look.\n\nI look.\n\nDone.\n" });
    expect(answered.stderr).toContain('The new limit must be a whole number of turns, such as 50, not "many".\n');
    expect(entered.code).toBe(4);
    expect(entered.stderr).toContain(`guild-hall session finish ${left.id}`);
    expect(await waitOf(left.id)).toMatchObject({ kind: "budget", limit: "turns" });
  });

  it("stops asking at the terminal when it was decided elsewhere", async () => {
    const { id } = await short("Elsewhere");
    const asked = start(["session", "send", id, "Look twice."], { isTTY: true, stdin: new PassThrough() });
    await asked.says(/Raise it to how many turns\?/);

    await type("session", "raise", id, "9");

    expect(await asked.ended).toMatchObject({ code: 0, stdout: "I look.\n\nI look.\n\nDone.\n" });
  });

  it("is raised and finished by its own id if it is a worker's", async () => {
    const worker = start(["run", "looker", "Look twice."]);
    const id = await worker.says(/looker works as (job_\w+)/);
    const { code, stderr } = await worker.ended;

    const raised = await type("runs", "raise", id, "2");
    await vi.waitUntil(async () => {
      const { attempt, waitingFor } = await client.runs.get(id);
      return attempt === 2 && waitingFor?.kind === "budget";
    }, patience);
    const finished = await type("runs", "finish", id, "--json");
    const stopped = await type("runs", "try-now", id);

    expect(code).toBe(4);
    expect(stderr).toMatch(/^The run has taken 1 turn, and its limit is 1\. Waiting since [\d: -]+\.$/m);
    expect(stderr).toContain(`guild-hall runs raise ${id} <turns>`);
    expect(raised).toMatchObject({ code: 0, stdout: `${id} resumes. It may take up to 2 turns now.\n` });
    expect(JSON.parse(finished.stdout)).toEqual({ finished: id });
    expect(await client.runs.get(id)).toMatchObject({ state: "completed" });
    expect(stopped.code).toBe(4);
  });
});

describe("guild-hall run", () => {
  it("prints that a request is repeated and that a limit is near", async () => {
    const { code, stdout, stderr } = await start(["run", "walker", "Look on."]).ended;

    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toMatch(/^Trying again in \d+ s \(attempt 1\): .+$/m);
    expect(stderr.split("\n").filter((line) => line === "4 of 5 turns are used.")).toHaveLength(1);
  });
});

describe("guild-hall pause, unpause and stop", () => {
  it("pause new runs and resume them, and the status says so", async () => {
    const { id } = await client.sessions.create({ name: "Held" });

    const paused = await type("pause", "--json");
    const sent = start(["session", "send", id, "Hello."]);
    await sent.says(/Waiting for a free slot \(since [\d:]+\)\. New runs are paused\. Resume new runs with: guild-hall unpause/);
    const status = await type("status");
    const unpaused = await type("unpause");

    expect(RunsState.parse(JSON.parse(paused.stdout)).isPaused).toBe(true);
    expect(status.stdout).toContain("New runs are paused.");
    expect(unpaused).toMatchObject({ code: 0, stdout: "New runs start again.\n" });
    expect(await sent.ended).toMatchObject({ code: 0, stdout: "Done.\n" });
  });

  it("stop everything that runs or waits, after a yes", async () => {
    const { id } = await short("Stopped");
    await type("session", "send", id, "Look twice.");
    const running = (await client.sessions.list({ status: "running" })).sessions.length;

    const unsure = await type("stop");
    const refused = await start(["stop"], { isTTY: true, stdin: "n\n" }).ended;
    const before = await waitOf(id);
    const stopped = await type("stop", "--yes", "--json");
    const nothing = await type("stop", "--yes");

    expect(unsure.code).toBe(2);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("Nothing was stopped.") as string });
    expect(before).not.toBeNull();
    expect(JSON.parse(stopped.stdout)).toEqual({ stopped: running });
    expect(nothing).toMatchObject({ code: 0, stdout: "Nothing runs.\n" });
    expect((await client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "stopped" }, waitingFor: null });
  });
});
