import { describe, expect, it } from "vitest";
import { z } from "zod";
import { followMessage } from "../../src/cli/session/follow-message.ts";
import { Message, Session } from "../../src/schema/session.ts";
import type { SessionEvent } from "../../src/schema/session-event.ts";
import { startHallProcess } from "../running-hall.ts";
import { runCli, startCli } from "./run-cli.ts";
import { serveComposedHall } from "./serve-composed-hall.ts";

describe("guild-hall session send", () => {
  it("prints the answer to stdout exactly as it is stored, and everything about it to stderr (REQ-GH1-15)", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "A walk" });

    const { code, stdout, stderr } = await runCli(["session", "send", "walk", "tour", "--home", home]);

    expect(code).toBe(0);
    expect(stdout).toBe(`${answerIn((await client.sessions.get(id)).messages)}\n`);
    expect(stderr).toMatch(
      /^→ Glob .*\n← Glob: .*\n→ Read .*\n← Read: .*\n→ Write .*\n← Write: .*\n\d+ tokens in, \d+ out, 4 turns, \$[\d.]+\n$/,
    );
  });

  it("prints one document with --json, with the answer as it is stored", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "A greeting" });

    const { code, stdout } = await runCli(["session", "send", id, "hello", "--json", "--home", home]);

    const document = Answer.parse(JSON.parse(stdout));
    const { session, messages } = await client.sessions.get(id);
    expect(code).toBe(0);
    expect(document).toMatchObject({ session, messageId: messages[0]?.id, messages: messages.slice(1), error: null });
    expect(document.usage?.turns).toBe(1);
  });

  it("loses nothing and repeats nothing when the connection is cut in the middle", async () => {
    const { home, client, cutConnections } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Cut off" });
    const cli = startCli(["session", "send", id, "tour", "--home", home]);

    await cli.says(/→ Read/);
    cutConnections();
    const { code, stdout, stderr } = await cli.ended;

    expect(code).toBe(0);
    expect(stdout).toBe(`${answerIn((await client.sessions.get(id)).messages)}\n`);
    expect(stderr.match(/^→ Read/gm)).toHaveLength(1);
  });

  it("gets the stream of a query from its start, though it ended before anybody looked", async () => {
    const { client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Quick" });
    const { messageId } = await client.sessions.send(id, "hello");
    const following = { client, id, messageId, signal: new AbortController().signal };
    await followMessage({ ...following, onEvent: async () => undefined });

    const told: SessionEvent[] = [];
    await followMessage({ ...following, onEvent: async (event) => void told.push(event) });

    expect(told[0]).toEqual({ event: "status", data: { status: "running" } });
    expect(told.filter(({ event }) => event === "text").length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ event: "done", data: {} });
  });

  it("ends with exit code 4 and the reason where the query failed", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Refused" });

    const text = await runCli(["session", "send", id, "error: wrong key", "--home", home]);
    const json = await runCli(["session", "send", id, "error: wrong key", "--json", "--home", home]);

    const { session } = await client.sessions.get(id);
    expect(text.code).toBe(4);
    expect(text.stderr).toContain(`${session.error?.message}\n`);
    expect(json.code).toBe(4);
    expect(Answer.parse(JSON.parse(json.stdout)).error).toMatchObject({ code: "model_auth" });
  });

  it("stops the query at Ctrl-C, keeps what was said, and exits with 130 (REQ-GH1-17)", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Long" });
    const cli = startCli(["session", "send", id, "long answer", "--home", home]);

    await cli.says(/3\. Line 3/);
    cli.pressCtrlC();
    const { code, stdout, stderr } = await cli.ended;

    const { session, messages } = await client.sessions.get(id);
    expect(code).toBe(130);
    expect(session).toMatchObject({ status: "idle", error: { code: "stopped" } });
    expect(stdout).toBe(`${answerIn(messages)}\n`);
    expect(stderr).toContain("Stopping it.");
  });

  it("refuses a message to a session that is busy, with exit code 4", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Busy" });
    await client.sessions.send(id, "long answer");

    const { code, stdout, stderr } = await runCli(["session", "send", id, "hello", "--home", home]);

    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toContain("is still working on the last message");
  });

  it("waits for its turn with --queue, and prints its own answer only", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Patient" });
    await client.sessions.send(id, "tour");

    const { code, stdout } = await runCli(["session", "send", id, "help", "--queue", "--home", home]);

    const { messages } = await client.sessions.get(id);
    expect(code).toBe(0);
    expect(stdout).toBe(`${answerIn(messages.slice(-1))}\n`);
  });

  it("says what holds a queued message back, and the queue sends it on or gives it back", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Held" });
    await client.sessions.send(id, "long answer");
    const cli = startCli(["session", "send", id, "hello", "--queue", "--home", home]);
    await cli.says(/It waits for its turn/);
    const dropped = await client.sessions.send(id, "help", { queue: true });

    await client.sessions.stop(id);
    const held = await cli.ended;
    const removed = await runCli(["session", "queue", id, "--remove", dropped.messageId, "--home", home]);
    const list = await runCli(["session", "queue", id, "--home", home]);
    const sent = await runCli(["session", "queue", id, "--send", "--home", home]);

    expect(held.code).toBe(4);
    expect(held.stderr).toContain(`guild-hall session queue ${id} --send`);
    expect(removed.code).toBe(0);
    expect(list.stdout).toMatch(/^msg_\w+ {2}hello\n$/);
    expect(sent.code).toBe(0);
    expect(sent.stdout).toContain("welcome to Guild Hall");
  });

  it("takes a waiting message back at Ctrl-C", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Changed my mind" });
    await client.sessions.send(id, "long answer");
    const cli = startCli(["session", "send", id, "hello", "--queue", "--home", home]);

    await cli.says(/It waits for its turn/);
    cli.pressCtrlC();
    const { code } = await cli.ended;

    expect(code).toBe(130);
    expect((await client.sessions.queue.list(id)).messages).toEqual([]);
    expect((await client.sessions.get(id)).session.status).toBe("running");
  });
});

describe("a hall that is killed under a command that follows a session", () => {
  it("is waited for until it is back, and the rest is told from what it kept", async () => {
    const hall = await startHallProcess({ bundled: false });
    const { home } = hall;
    const { id } = await hall.client.sessions.create({ name: "Killed" });
    const send = startCli(["session", "send", id, "long answer", "--home", home]);
    await send.says(/1\. Line 1/);
    const tail = startCli(["session", "tail", id, "--home", home]);

    await tail.says(/1\. Line 1/);
    await hall.end("SIGKILL");
    const again = await startHallProcess({ home, flags: ["--port", new URL(hall.url).port] });
    const { code, stdout, stderr } = await send.ended;
    const { session, messages } = await again.client.sessions.get(id);
    await again.client.sessions.send(id, "help");
    await tail.says(/> help\n.* tokens in/);
    tail.pressCtrlC();

    expect(session.error?.code).toBe("interrupted");
    expect(code).toBe(4);
    expect(stdout).toContain(answerIn(messages));
    expect(stderr).toContain(session.error?.message);
    expect(await tail.ended).toMatchObject({ code: 130, stderr: expect.stringContaining("Left.") as string });
  });
});

describe("guild-hall session tail", () => {
  it("shows what runs from its start and what is asked after it, and leaves it running at Ctrl-C", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Watched" });
    await client.sessions.send(id, "long answer");
    const cli = startCli(["session", "tail", id, "--home", home]);

    await cli.says(/2\. Line 2/);
    await client.sessions.stop(id);
    await client.sessions.send(id, "hello");
    await cli.says(/welcome to Guild Hall/);
    await client.sessions.send(id, "long answer", { queue: true });
    await cli.says(/> long answer[^]*> long answer/);
    cli.pressCtrlC();
    const { code, stdout, stderr } = await cli.ended;

    expect(code).toBe(130);
    expect(stdout).toMatch(/this takes about half a minute[^]*1\. Line 1[^]*welcome to Guild Hall/);
    expect(stderr).toMatch(/^> long answer\n[^]*stopped\.\n> hello\n[^]*^> long answer\n[^]*Left\. What runs on the hall goes on\.\n$/m);
    expect((await client.sessions.get(id)).session.status).toBe("running");
  });

  it("ends with what runs now with --once, and with the exit code of how it ended", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Brief" });
    const sent = await runCli(["session", "send", id, "long answer", "--detach", "--home", home]);
    const cli = startCli(["session", "tail", id, "--once", "--home", home]);

    await cli.says(/2\. Line 2/);
    const stopped = await runCli(["session", "stop", id, "--home", home]);
    const { code, stdout } = await cli.ended;

    expect(sent.stdout).toContain(`guild-hall session tail ${id}`);
    expect(stopped).toMatchObject({ code: 0, stdout: '"Brief" is stopped. What was said so far is kept.\n' });
    expect(code).toBe(4);
    expect(stdout).toBe(`${answerIn((await client.sessions.get(id)).messages)}\n`);
  });

  it("ends at once with --once where nothing runs", async () => {
    const { home, client } = await serveComposedHall();
    await client.sessions.create({ name: "Quiet" });

    const text = await runCli(["session", "tail", "quiet", "--once", "--home", home]);
    const json = await runCli(["session", "tail", "quiet", "--json", "--home", home]);

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

/** What the agent said, an empty line between two messages. */
const answerIn = (messages: readonly Message[]): string =>
  messages
    .filter(({ role }) => role === "assistant")
    .map(({ blocks }) => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""))
    .join("\n\n");
