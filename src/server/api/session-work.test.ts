import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { childRecord } from "../../adapters/files/child-records.ts";
import { createLayout } from "../../adapters/files/layout.ts";
import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { composeTestHall, openTestHall } from "../composed-hall.testing.ts";

describe("the work of a session", () => {
  /** One session after all that happens to it here. */
  let hall: Awaited<ReturnType<typeof openHallSaying>>;
  let id: SessionId;
  beforeAll(async () => {
    hall = await openHallSaying(
      { tools: [{ name: "mcp__guild_hall__update_context", input: { section: "decisions", content: "- use SQLite", mode: "append" } }] },
      { tools: [{ name: "mcp__guild_hall__update_context", input: { section: "in_progress", content: "Measuring." } }] },
      { text: "Decided." },
      { text: "The answer is forty-two.\n\n**Last** line." },
      { text: "Expensive.", usage: { inputTokens: 1_000_000, outputTokens: 100_000 } },
      { text: "Slowly, word by word.", chunkSize: 1, chunkDelayMs: 100 },
      { text: "Quickly." },
    );
    ({ id } = await hall.client.sessions.create({ name: "Shared", context: "# Shared\n\n## Goal\n\nShip it.\n" }));
    return hall.close;
  });

  it("starts from a context file that person and agent share, and both see what the other writes, while they work and at the next query (REQ-GH1-30, REQ-GH1-31, REQ-GH1-32, REQ-GH1-34)", async () => {
    const { client, home, told } = hall;

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
    const { client, home, told } = hall;
    const before = told().length;
    await expect(client.sessions.renew(id)).rejects.toMatchObject({ code: "conflict" });
    await forgetConversation(home, id);
    await talk(client, id, "And the question?");
    const expired = (await client.sessions.get(id)).session;
    const asked = told().length;
    const renewed = await client.sessions.renew(id);

    await talk(client, id, "And the question, again?");

    expect(expired).toMatchObject({ status: "expired", error: { code: "session_expired" } });
    // The model was not asked without what had been said.
    expect(asked).toBe(before);
    expect(renewed).toMatchObject({ status: "idle", error: null });
    expect(renewed.sdkSessionId).not.toBe(expired.sdkSessionId);
    const last = told().at(-1);
    expect(last).toContain("Ship it.");
    expect(last).toContain("The answer is forty-two.");
    expect(last).toContain("And the question?");
    const { session, messages } = await client.sessions.get(id);
    expect(session).toMatchObject({ status: "idle", error: null });
    const said = messages.flatMap(({ role, blocks }) => (role === "user" ? blocks : []));
    expect(said).toMatchObject(["Decide.", "Go on.", "And the question?", "And the question, again?"].map((text) => ({ text })));
  });

  it("refuses a message when its money is used up, takes it when the limit is raised on the spot, and takes one that waits, once, and says why it is held back", async () => {
    const { client } = hall;
    await client.sessions.change(id, { limits: { maxCostUsd: 0.01 } });

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
  readdirSync(createLayout(home).agentStates).filter((name) => isAlive(join(createLayout(home).agentStates, name))).length;

function isAlive(record: string): boolean {
  try {
    const agent = childRecord.parse(readFileSync(record, "utf8"), record).process;
    return agent !== null && process.kill(agent.pid, 0);
  } catch {
    return false; // The record was removed, or nobody has that number any more.
  }
}

/** The session's record names a conversation that the SDK has never seen. */
async function forgetConversation(home: string, id: SessionId): Promise<void> {
  const record = join(home, "sessions", id, "session.json");
  const text = await readFile(record, "utf8");
  await writeFile(record, text.replace(/"sdkSessionId": "[^"]+"/, `"sdkSessionId": "${crypto.randomUUID()}"`));
}

/** A hall whose model says these things one after the other, the last one for ever. */
async function openHallSaying(...replies: Reply[]) {
  let asked = 0;
  const model = await startScriptedModel({ script: () => replies[Math.min((asked += 1), replies.length) - 1] });
  const hall = await openTestHall({ env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
  /** What the hall told the model with each request: the system prompt and the context file. */
  const told = () => model.requests.map(({ conversation }) => conversation.system);
  const close = async () => {
    await hall.close();
    await model.close();
  };
  return { ...hall, told, close };
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
