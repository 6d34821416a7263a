import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Message, Session } from "../../src/schema/session.ts";
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

  it("refuses while the session is busy; with --queue it waits for its turn and prints its own answer only", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Busy" });
    await client.sessions.send(id, "tour");

    const [refused, waited] = await Promise.all([
      runCli(["session", "send", id, "hello", "--home", home]),
      runCli(["session", "send", id, "help", "--queue", "--home", home]),
    ]);

    const { messages } = await client.sessions.get(id);
    expect(refused).toMatchObject({ code: 4, stdout: "" });
    expect(refused.stderr).toContain("is still working on the last message");
    expect(waited.code).toBe(0);
    expect(waited.stdout).toBe(`${answerIn(messages.slice(-1))}\n`);
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

describe("guild-hall session tail", () => {
  it("shows what runs from its start and what is asked after it, and leaves it running at Ctrl-C", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Watched" });
    await client.sessions.send(id, "tour");
    const cli = startCli(["session", "tail", id, "--home", home]);

    await cli.says(/That was the tour/);
    await client.sessions.send(id, "long answer", { queue: true });
    await cli.says(/2\. Line 2/);
    cli.pressCtrlC();
    const { code, stdout, stderr } = await cli.ended;

    expect(code).toBe(130);
    expect(stdout).toMatch(/I start by listing[^]*That was the tour[^]*1\. Line 1/);
    expect(stderr).toMatch(/^> tour\n[^]*^> long answer\n/m);
    expect((await client.sessions.get(id)).session.status).toBe("running");
  });

  it("ends with what runs now with --once, and at once where nothing does", async () => {
    const { home, client } = await serveComposedHall();
    const { id } = await client.sessions.create({ name: "Brief" });
    const sent = await runCli(["session", "send", id, "tour", "--detach", "--home", home]);

    const running = await runCli(["session", "tail", id, "--once", "--home", home]);
    const after = await runCli(["session", "tail", id, "--once", "--home", home]);
    const json = await runCli(["session", "tail", id, "--json", "--home", home]);

    expect(sent.stdout).toContain(`guild-hall session tail ${id}`);
    expect(running).toMatchObject({ code: 0, stdout: `${answerIn((await client.sessions.get(id)).messages)}\n` });
    expect(after).toMatchObject({ code: 0, stdout: "", stderr: 'Nothing runs in "Brief".\n' });
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
