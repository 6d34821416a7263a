import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { followMessage } from "../../src/cli/session/follow-message.ts";
import { MessageId } from "../../src/schema/ids.ts";
import { Message, Session } from "../../src/schema/session.ts";
import type { SessionEvent } from "../../src/schema/session-event.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand, startCommand } from "./command.ts";
import { startCli } from "./run-cli.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";

let hall: ServedHall;
let client: ServedHall["client"];
beforeAll(async () => {
  hall = await openServedHall();
  client = hall.client;
  return hall.close;
});

const session = (...args: string[]) => runCommand(["session", ...args, "--home", hall.home]);
const start = (...args: string[]) => startCommand(["session", ...args, "--home", hall.home]);

describe("guild-hall session send", () => {
  it("prints the answer to stdout exactly as it is stored, and everything about it to stderr, though the connection is cut in the middle; one that waited prints its own only, with --json as one document (REQ-GH1-15)", async () => {
    const { id } = await client.sessions.create({ name: "A walk" });
    const sent = start("send", "walk", "tour");
    await sent.says(/→ Glob/);
    const next = start("send", id, "hello", "--queue");
    await next.says(/It waits for its turn/);
    const queued = start("send", id, "help", "--queue", "--json");
    await queued.says(/It waits for its turn/);

    hall.cutConnections();
    const [{ code, stdout, stderr }, waited, later] = await Promise.all([sent.ended, next.ended, queued.ended]);

    const { session: stored, messages } = await client.sessions.get(id);
    const [question, answer] = messages.slice(-2);
    expect([code, waited.code, later.code]).toEqual([0, 0, 0]);
    expect(stdout).toBe(`${answerIn(messages.slice(0, -3))}\n`);
    expect(waited.stdout).toBe(`${answerIn(messages.slice(-3, -2))}\n`);
    expect(stderr).toMatch(
      /^→ Glob .*\n← Glob: .*\n→ Read .*\n← Read: .*\n→ Write .*\n← Write: .*\n\d+ tokens in, \d+ out, 4 turns, \$[\d.]+\n$/,
    );
    const document = Answer.parse(JSON.parse(later.stdout));
    expect(document).toMatchObject({ session: stored, messageId: question?.id, messages: [answer], usage: { turns: 1 }, error: null });
    const told = await toldOf(id, document.messageId);
    expect(told[0]).toEqual({ event: "status", data: { status: "running" } });
    expect(told.filter(({ event }) => event === "text").length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ event: "done", data: {} });
  });

  it("ends with exit code 4 and the reason where the query failed", async () => {
    const { id } = await client.sessions.create({ name: "Refused" });

    const { code, stdout, stderr } = await session("send", id, "error: wrong key", "--json");

    const { session: refused } = await client.sessions.get(id);
    expect(code).toBe(4);
    expect(stderr).toContain(`${refused.error?.message}\n`);
    expect(Answer.parse(JSON.parse(stdout)).error).toMatchObject({ code: "model_auth" });
  });
});

describe("a session that is busy", () => {
  it("refuses a message with exit code 4, or lets it wait; Ctrl-C takes it back, or stops what runs and keeps what was said (130), which holds it; the queue sends it on or gives it back (REQ-GH1-17)", async () => {
    const { id } = await client.sessions.create({ name: "Busy" });
    // In a process of its own, which has to end.
    const cli = startCli(["session", "send", id, "long answer", "--home", hall.home]);
    await cli.says(/3\. Line 3/);

    const refused = await session("send", id, "hello");
    const regretted = start("send", id, "hello", "--queue");
    await regretted.says(/It waits for its turn/);
    regretted.pressCtrlC();
    const takenBack = await regretted.ended;
    const afterwards = { queue: (await client.sessions.queue.list(id)).messages, is: (await client.sessions.get(id)).session.status };
    const waiting = start("send", id, "hello", "--queue");
    await waiting.says(/It waits for its turn/);
    const dropped = await client.sessions.send(id, "help", { queue: true });
    cli.pressCtrlC();
    const [stopped, held] = await Promise.all([cli.ended, waiting.ended]);
    const { session: broken, messages } = await client.sessions.get(id);
    const removed = await session("queue", id, "--remove", dropped.messageId);
    const list = await session("queue", id);
    const sent = await session("queue", id, "--send");

    expect(refused).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining("is still working on the last message") as unknown,
    });
    expect(takenBack.code).toBe(130);
    expect(afterwards).toEqual({ queue: [], is: "running" });
    expect(stopped).toMatchObject({
      code: 130,
      stdout: `${answerIn(messages)}\n`,
      stderr: expect.stringContaining("Stopping it.") as unknown,
    });
    expect(broken).toMatchObject({ status: "idle", error: { code: "stopped" } });
    expect(held).toMatchObject({ code: 4, stderr: expect.stringContaining(`guild-hall session queue ${id} --send`) as unknown });
    expect(removed.code).toBe(0);
    expect(list.stdout).toMatch(/^msg_\w+ {2}hello\n$/);
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining("welcome to Guild Hall") as unknown });
  });
});

describe("a hall that is gone under a command that follows a session", () => {
  it("is waited for until it is back, and the rest is told from what it kept", async () => {
    const home = join(await temporaryFolder(), "home");
    const gone = await openServedHall({ home });
    const { id } = await gone.client.sessions.create({ name: "Left alone" });
    const sent = startCommand(["session", "send", id, "long answer", "--home", home]);
    const tail = startCommand(["session", "tail", id, "--home", home]);

    await Promise.all([sent.says(/1\. Line 1/), tail.says(/1\. Line 1/)]);
    // Connections are cut before anything else ends, as where it is killed.
    await gone.close();
    const again = await openServedHall({ home, port: gone.port });
    onTestFinished(again.close);
    const { code, stdout, stderr } = await sent.ended;
    const { session: interrupted, messages } = await again.client.sessions.get(id);
    await again.client.sessions.send(id, "help");
    await tail.says(/> help\n.* tokens in/);
    tail.pressCtrlC();

    expect(interrupted.error?.code).toBe("interrupted");
    expect(code).toBe(4);
    expect(stdout).toContain(answerIn(messages));
    expect(stderr).toContain(interrupted.error?.message);
    expect(await tail.ended).toMatchObject({ code: 130, stderr: expect.stringContaining("Left.") as string });
  });
});

describe("guild-hall session tail", () => {
  it("shows what runs from its start and what is asked after it, and leaves it running at Ctrl-C; with --once it ends with what runs now", async () => {
    const { id } = await client.sessions.create({ name: "Watched" });
    const detached = await session("send", id, "long answer", "--detach");
    const tail = start("tail", id);
    const once = start("tail", id, "--once");

    await Promise.all([tail.says(/2\. Line 2/), once.says(/2\. Line 2/)]);
    const stopped = await session("stop", id);
    const first = await once.ended;
    const said = answerIn((await client.sessions.get(id)).messages);
    await client.sessions.send(id, "long answer");
    await tail.says(/> long answer[^]*> long answer/);
    await tail.says(/^1\. Line 1[^]*^1\. Line 1/m);
    tail.pressCtrlC();
    const { code, stdout, stderr } = await tail.ended;

    expect(detached.stdout).toContain(`guild-hall session tail ${id}`);
    expect(stopped).toMatchObject({ code: 0, stdout: '"Watched" is stopped. What was said so far is kept.\n' });
    expect(first).toMatchObject({ code: 4, stdout: `${said}\n` });
    expect(code).toBe(130);
    expect(stdout).toMatch(/this takes about half a minute[^]*1\. Line 1[^]*this takes about half a minute/);
    expect(stderr).toMatch(/^> long answer\n[^]*stopped\.\n> long answer\n[^]*Left\. What runs on the hall goes on\.\n$/);
    expect((await client.sessions.get(id)).session.status).toBe("running");
  });

  it("ends at once with --once where nothing runs", async () => {
    await client.sessions.create({ name: "Quiet" });

    const text = await session("tail", "quiet", "--once");
    const json = await session("tail", "quiet", "--json");

    expect(text).toMatchObject({ code: 0, stdout: "", stderr: 'Nothing runs in "Quiet".\n' });
    expect(Answer.parse(JSON.parse(json.stdout)).messageId).toBeNull();
  });
});

const Answer = z.object({
  session: Session,
  messageId: z.string().nullable(),
  messages: z.array(Message),
  usage: z.object({ turns: z.number() }).nullable(),
  error: z.object({ code: z.string() }).nullable(),
});

/** All that a message led to, heard afterwards. */
async function toldOf(id: Session["id"], messageId: string | null): Promise<SessionEvent[]> {
  const told: SessionEvent[] = [];
  const onEvent = async (event: SessionEvent) => void told.push(event);
  await followMessage({ client, id, messageId: MessageId.parse(messageId), signal: new AbortController().signal, onEvent });
  return told;
}

/** What the agent said, an empty line between two messages. */
const answerIn = (messages: readonly Message[]): string =>
  messages
    .filter(({ role }) => role === "assistant")
    .map(({ blocks }) => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""))
    .join("\n\n");
