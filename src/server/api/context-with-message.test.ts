import { readdirSync } from "node:fs";
import { appendFile, glob, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createLayout } from "../../adapters/files/layout.ts";
import { prefaceOpening } from "../../core/agent/preface-opening.ts";
import { newMessageId } from "../../schema/ids.ts";
import type { Block, Message, ModelRequest } from "../../scripted-model/model-request.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { openTestHall } from "../composed-hall.testing.ts";

const tooLong: Reply = { error: { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" } };

describe("the context file of a session", () => {
  /** One session after all that happens to it here. Each test looks at the requests that its messages made. */
  let stage: Awaited<ReturnType<typeof openStage>>;
  beforeAll(async () => {
    stage = await openStage("## Goal\n\nThe first text.\n");
    return stage.close;
  });

  it("goes with the first message, with none while it stays as it is, and with the next one when it has changed (REQ-GH1-31)", async () => {
    const { say, file } = stage;

    const first = await say("one");
    const same = await say("two");
    await writeFile(file, "## Goal\n\nThe second text.\n");
    const changed = await say("three");

    expect([first, same, changed].map(({ sent }) => sent)).toEqual(["The first text.", null, "The second text."]);
  });

  it("leaves the beginning of the next request as it was, byte for byte, when it is edited", async () => {
    const { say, file } = stage;

    const before = await say("four");
    await appendFile(file, "More.\n");
    const after = await say("five");

    expect(after.sent).toContain("The second text.");
    const [was, is] = [before, after].map(({ body }) => ({ ...body, messages: body.messages.map(withoutMarks) }));
    expect(JSON.stringify(is?.system)).toBe(JSON.stringify(was?.system));
    expect(JSON.stringify(is?.tools)).toBe(JSON.stringify(was?.tools));
    const history = was?.messages ?? [];
    expect(history.length).toBeGreaterThan(6);
    expect(JSON.stringify(is?.messages.slice(0, history.length))).toBe(JSON.stringify(history));
    const rest = ({ system: _system, tools: _tools, messages: _messages, ...other }: ModelRequest) => other;
    expect(rest(after.body)).toEqual(rest(before.body));
  });

  it("is edited without a new process for a session that is open", async () => {
    const { say, client, id, file, agents } = stage;
    const leaving = new AbortController();
    await vi.waitUntil(() => agents().length === 0, { timeout: 30_000 });
    const news = client.events({ open: id, signal: leaving.signal });
    const next = news.next();
    await vi.waitUntil(() => agents().length === 1, { timeout: 30_000 });
    const waiting = agents();

    await appendFile(file, "Still more.\n");
    await next;
    const { sent, answeredBy } = await say("open");
    leaving.abort();

    expect(sent).toContain("Still more.");
    expect(answeredBy).toEqual(waiting);
  });

  it("is told once when it was emptied, and once when it is gone and was so before", async () => {
    const { say, file } = stage;

    await writeFile(file, "");
    const emptied = await say("six");
    await rm(file);
    const gone = await say("seven");

    expect([emptied, gone].map(({ sent }) => sent)).toEqual(["(The file is empty.)", null]);
  });

  it("goes along again when the agent wrote it, and when it is back at what it was before", async () => {
    const { say, replies, file } = stage;
    await writeFile(file, "## Goal\n\nThe first text.\n");
    replies.push({ tools: [{ name: "mcp__guild_hall__update_context", input: { section: "goal", content: "Its own." } }] });

    const back = await say("eight");
    const written = await say("nine");
    const same = await say("ten");

    expect([back, written, same].map(({ sent }) => sent)).toEqual(["The first text.", "Its own.", null]);
  });

  it("goes along again after the conversation was compacted", async () => {
    const { say, replies } = stage;
    replies.push(tooLong, { text: "<summary>They talked.</summary>" });

    const compacted = await say("eleven");
    const after = await say("twelve");
    const same = await say("thirteen");

    expect([compacted, after, same].map(({ sent }) => sent)).toEqual([null, "Its own.", null]);
  });

  it("goes along again when its message never reached the conversation, as after a crash", async () => {
    const { say, home, file } = stage;
    await writeFile(file, "## Goal\n\nThe third text.\n");
    const transcript = await transcriptIn(home);
    const without = await readFile(transcript);
    await say("fourteen");
    await writeFile(transcript, without);

    const again = await say("fifteen");
    const same = await say("sixteen");

    expect([again, same].map(({ sent }) => sent)).toEqual(["The third text.", null]);
  });

  it("goes with the first message after a renewal", async () => {
    const { say, client, id, home } = stage;
    await rm(await transcriptIn(home));
    await say("seventeen").catch(() => undefined);
    await client.sessions.renew(id);

    const renewed = await say("eighteen");

    expect(renewed.sent).toBe("The third text.");
    expect(renewed.body.messages.filter(({ role }) => role === "user")).toHaveLength(1);
  });

  it("leaves the record of the conversation before the renewal as it is, however long the new one grows", async () => {
    const { say, home, id } = stage;
    const before = await say("nineteen");
    const messages = Array.from({ length: 120 }, (_, n) => ({
      id: newMessageId(),
      role: n % 2 === 0 ? "user" : "assistant",
      at: new Date().toISOString(),
      blocks: [{ type: "text", text: `Message ${n}.` }],
    }));
    await appendFile(join(home, "sessions", id, "messages.jsonl"), messages.map((message) => `${JSON.stringify(message)}\n`).join(""));

    const after = await say("twenty");

    expect(JSON.stringify(before.body.system)).toContain("thirteen");
    expect(JSON.stringify(after.body.system)).toBe(JSON.stringify(before.body.system));
  });

  it("is no part of any message that is stored or shown", async () => {
    const { client, id, home } = stage;

    const { messages } = await client.sessions.get(id, { limit: 200 });
    const stored = await readFile(join(home, "sessions", id, "messages.jsonl"), "utf8");

    const said = messages.filter(({ role }) => role === "user").map(({ blocks }) => blocks);
    expect(said[0]).toEqual([{ type: "text", text: "one" }]);
    expect(said.at(-1)).toEqual([{ type: "text", text: "twenty" }]);
    expect(stored).not.toContain("From Guild Hall");
    expect(JSON.stringify(messages)).not.toContain("context-file-");
  });
});

/** A session, and what each message to it made the model be asked first. */
async function openStage(context: string) {
  const replies: Reply[] = [];
  let answeredBy: string[] = [];
  const model = await startScriptedModel({
    script: () => {
      answeredBy = agents();
      return replies.shift() ?? { text: "Noted." };
    },
  });
  const hall = await openTestHall({ env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
  const { client, home } = hall;
  const agents = () => readdirSync(createLayout(home).agentStates).filter((name) => /^[0-9a-f-]{36}\.json$/.test(name));
  const { id } = await client.sessions.create({ name: "Shared", context });

  /** Sends a message, waits for the end of its run and returns the first request of it. */
  async function say(text: string): Promise<{ body: ModelRequest; sent: string | null; answeredBy: string[] }> {
    const earlier = model.requests.length;
    await client.sessions.send(id, text);
    for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
    const body = model.requests[earlier]?.body;
    if (body === undefined) throw new Error(`The model was not asked: ${JSON.stringify((await client.sessions.get(id)).session.error)}`);
    return { body, sent: contextBefore(text, body), answeredBy };
  }

  async function close(): Promise<void> {
    await hall.close();
    await model.close();
  }

  return { client, home, id, replies, say, agents, file: join(home, "sessions", id, "context.md"), close };
}

/** The line of the context file that stands directly before a message, without heading and marks. */
function contextBefore(text: string, { messages }: ModelRequest): string | null {
  const texts = messages.filter(({ role }) => role === "user").flatMap((message) => blocksOf(message).map((block) => block.text ?? ""));
  const before = texts[texts.lastIndexOf(text) - 1] ?? "";
  if (!before.startsWith(prefaceOpening)) return null;
  return (
    before
      .split(/\ncontext-file-[0-9a-f]{32}/)[1]
      ?.replace("## Goal", "")
      .trim() ?? before
  );
}

/** Marks for the provider's cache move to the end of each request, and a text without one may lose its list. */
const withoutMarks = (message: Message): unknown => ({
  role: message.role,
  content: blocksOf(message).map(({ cache_control: _mark, ...block }) => block),
});

const blocksOf = ({ content }: Message): readonly Block[] => (typeof content === "string" ? [{ type: "text", text: content }] : content);

async function transcriptIn(home: string): Promise<string> {
  for await (const path of glob(join(home, "claude/config/projects/*/*.jsonl"))) return path;
  throw new Error("There is no transcript.");
}
