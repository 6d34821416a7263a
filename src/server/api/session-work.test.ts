import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLayout } from "../../adapters/files/layout.ts";
import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { composeTestHall } from "../composed-hall.testing.ts";

describe("the work of a session", () => {
  it("starts from a context file that person and agent share, and both see what the other writes, while they work and at the next query (REQ-GH1-30, REQ-GH1-31, REQ-GH1-32, REQ-GH1-34)", async () => {
    const { client, home, told } = await hallSaying(
      { tools: [{ name: "mcp__guild_hall__update_context", input: { section: "decisions", content: "- use SQLite", mode: "append" } }] },
      { tools: [{ name: "mcp__guild_hall__update_context", input: { section: "in_progress", content: "Measuring." } }] },
      { text: "Decided." },
      { text: "First line.\n\n**Last** line." },
    );
    const { id } = await client.sessions.create({ name: "Shared", context: "# Shared\n\n## Goal\n\nShip it.\n" });

    await talk(client, id, "Decide.");
    const { text, etag } = await client.sessions.context.read(id);
    await client.sessions.context.write(id, `${text}\n## Resources\n\nThe wiki.\n`, etag);
    await talk(client, id, "Go on.");

    expect(told()[0]).toContain("Ship it.");
    expect(told()[0]).not.toContain("use SQLite");
    expect(text).toContain("## Decisions\n\n- use SQLite\n\n## In progress\n\nMeasuring.\n");
    expect(told().at(-1)).toContain("- use SQLite");
    expect(told().at(-1)).toContain("The wiki.");
    await expect(client.sessions.context.write(id, "too late", etag)).rejects.toMatchObject({ code: "precondition_failed" });
    expect(await readFile(join(home, "sessions", id, "context.md"), "utf8")).toContain("The wiki.");
    // Its card shows the last line of what was said.
    expect((await client.sessions.list()).sessions[0]).toMatchObject({ id, preview: "Last line." });
  });

  it("can be renewed when its conversation is gone, and only then: it goes on from history and context where the model has forgotten everything (REQ-GH1-22, REQ-GH1-33)", async () => {
    const { client, home, told } = await hallSaying({ text: "The answer is forty-two." });
    const { id } = await client.sessions.create({ name: "Renewed", context: "## Goal\n\nFind the answer.\n" });
    await talk(client, id, "What is the answer?");
    await expect(client.sessions.renew(id)).rejects.toMatchObject({ code: "conflict" });
    await forgetConversation(home, id);
    await talk(client, id, "And the question?");
    const expired = (await client.sessions.get(id)).session;
    const asked = told().length;
    const renewed = await client.sessions.renew(id);

    await talk(client, id, "And the question, again?");

    expect(expired).toMatchObject({ status: "expired", error: { code: "session_expired" } });
    // The model was not asked without what had been said.
    expect(asked).toBe(1);
    expect(renewed).toMatchObject({ status: "idle", error: null });
    expect(renewed.sdkSessionId).not.toBe(expired.sdkSessionId);
    const last = told().at(-1);
    expect(last).toContain("Find the answer.");
    expect(last).toContain("The answer is forty-two.");
    expect(last).toContain("And the question?");
    const { session, messages } = await client.sessions.get(id);
    expect(session).toMatchObject({ status: "idle", error: null });
    const said = messages.flatMap(({ role, blocks }) => (role === "user" ? blocks : []));
    expect(said).toMatchObject(["What is the answer?", "And the question?", "And the question, again?"].map((text) => ({ text })));
  });

  it("keeps files that were sent to it, and gives them back as files", async () => {
    const { client } = await hallSaying({ text: "Thanks." });
    const { id } = await client.sessions.create({ name: "Files" });

    await client.sessions.artifacts.add(id, "notes/täglich.txt", new Blob(["Grüße"]));
    const { artifacts } = await client.sessions.artifacts.list(id);

    expect(artifacts).toMatchObject([{ path: "notes/täglich.txt", size: 7 }]);
  });

  it("refuses a message when its money is used up, takes it when the limit is raised on the spot, and takes one that waits, once, and says why it is held back", async () => {
    const { client } = await hallSaying(
      { text: "Expensive.", usage: { inputTokens: 1_000_000, outputTokens: 100_000 } },
      { text: "Slowly, word by word.", chunkSize: 1, chunkDelayMs: 100 },
      { text: "Quickly." },
    );
    const { id } = await client.sessions.create({ name: "Dear" });
    await client.sessions.change(id, { limits: { maxCostUsd: 0.01 } });
    await talk(client, id, "Spend.");

    await expect(client.sessions.send(id, "Spend more.")).rejects.toThrow("its limit is $0.01");
    await client.sessions.change(id, { limits: { maxCostUsd: 1000 } });
    await client.sessions.send(id, "Go on.");
    await client.sessions.change(id, { limits: { maxCostUsd: 0.01 } });
    const { messageId } = await client.sessions.send(id, "And then?", { queue: true });
    for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
    await toldOf(client, id, "budget");

    const { session } = await client.sessions.get(id);
    expect(session.costUsd).toBeGreaterThan(0.01);
    expect((await client.spending.get()).today.costUsd).toBeCloseTo(session.costUsd, 6);
    const { messages: waiting } = await client.sessions.queue.list(id);
    expect(waiting.map((message) => message.id)).toEqual([messageId]);
    await client.sessions.change(id, { limits: { maxCostUsd: 1000 } });
    expect(await client.sessions.queue.send(id)).toEqual({ messageId });
  });
});

describe("the queries of many sessions", () => {
  it("have no more processes at a time than runs.atOnce says; those beyond it wait and are answered too (SEC-15)", async () => {
    const counted: number[] = [];
    const model = await startScriptedModel({
      script: () => {
        counted.push(agentsOf(hall.home));
        return { text: "One after the other.", chunkSize: 1, chunkDelayMs: 20 };
      },
    });
    onTestFinished(() => model.close());
    const hall = await composeTestHall({
      config: { runs: { atOnce: 1, waiting: 0 } },
      env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
    });
    const sessions = await Promise.all(["One", "Two"].map((name) => hall.client.sessions.create({ name })));

    await Promise.all(sessions.map(({ id }) => talk(hall.client, id, "Hello.")));

    const answered = await Promise.all(sessions.map(async ({ id }) => (await hall.client.sessions.get(id)).session));
    expect(answered.map(({ status, messageCount }) => [status, messageCount])).toEqual(sessions.map(() => ["idle", 2]));
    expect(counted).toEqual([1, 1]);
  });
});

/** How many of the processes that the hall keeps records of are alive. */
const agentsOf = (home: string): number =>
  readdirSync(createLayout(home).agentStates).filter((name) => isAlive(Number.parseInt(name, 10))).length;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // Nobody has that number any more.
  }
}

/** The session's record names a conversation that the SDK has never seen. */
async function forgetConversation(home: string, id: SessionId): Promise<void> {
  const record = join(home, "sessions", id, "session.json");
  const text = await readFile(record, "utf8");
  await writeFile(record, text.replace(/"sdkSessionId": "[^"]+"/, `"sdkSessionId": "${crypto.randomUUID()}"`));
}

/** A hall whose model says these things one after the other, the last one for ever. */
async function hallSaying(...replies: Reply[]) {
  let asked = 0;
  const model = await startScriptedModel({ script: () => replies[Math.min((asked += 1), replies.length) - 1] });
  onTestFinished(() => model.close());
  const hall = await composeTestHall({ env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
  /** The system prompt of each request. */
  const told = () => model.requests.map(({ body }) => JSON.stringify(body.system));
  return { ...hall, told };
}

/** Waits until the session says that this went wrong. */
async function toldOf(client: HallClient, id: SessionId, code: string): Promise<void> {
  const leaving = new AbortController();
  const news = client.events({ signal: leaving.signal });
  while ((await client.sessions.get(id)).session.error?.code !== code) await news.next();
  leaving.abort();
}

async function talk(client: HallClient, id: SessionId, text: string): Promise<void> {
  await client.sessions.send(id, text);
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") return;
}
