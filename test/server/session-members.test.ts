import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { Block, Session } from "../../src/schema/session.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { patience, putMember, statusOf, untilConnected } from "./members-by-hand.ts";
import { pliableMember } from "./pliable-member.fixture.ts";

const pliable = MemberName.parse("pliable");

let answer: () => Reply | undefined;
let model: ScriptedModel;
let hall: HallProcess;

beforeAll(async () => {
  model = await startScriptedModel({ script: () => answer() });
  const prepare = (home: string) => putMember(home, "pliable", pliableMember());
  hall = await startSharedHall({ bundled: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" }, prepare });
  await vi.waitUntil(async () => (await statusOf(hall, "pliable")) === "connected", patience);
  return () => model.close();
});

describe("the agent of a session with guild members", () => {
  it("calls their tools, over stdio and over HTTP, and the results are in the history (REQ-GH1-20)", async () => {
    const { hall, send } = setHall(
      calls("mcp__pliable__echo", { text: "over stdio" }),
      calls("mcp__web__echo", { text: "over HTTP" }),
      says("Both answered."),
    );
    await putMember(hall.home, "web", playedBy("http", "well"));
    await untilConnected(hall, "web");
    const session = await hall.client.sessions.create({ name: "Two ways", members: ["pliable", "web"] });

    const blocks = await send(session, "Ask them both.");

    expect(blocks.filter(({ type }) => type === "tool_use")).toMatchObject([{ name: "mcp__pliable__echo" }, { name: "mcp__web__echo" }]);
    const [overStdio, overHttp] = blocks.filter(({ type }) => type === "tool_result");
    expect(overStdio).toMatchObject({ isError: false, content: textIn("You said: over stdio") });
    expect(overHttp).toMatchObject({ isError: false, content: textIn('{"text":"over HTTP"}') });
    expect(blocks.at(-1)).toEqual({ type: "text", text: "Both answered." });
  });

  it("has the tools of its own members and of no others", async () => {
    const { hall, model, send } = setHall(says("Nothing to do."));
    const session = await hall.client.sessions.create({ name: "Alone" });

    await send(session, "What do you have?");

    expect(toolsAsked(model).filter((name) => name.startsWith("mcp__"))).toEqual(["mcp__guild_hall__update_context"]);
  });

  it("does not get a tool that changed until a person has accepted it, not even where a process waited for it (SEC-12)", async () => {
    const { hall, model, send } = setHall(says("Noted."));
    const session = await hall.client.sessions.create({ name: "Changes", members: [pliable] });
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    void watch(hall, session, leaving.signal);
    await send(session, "First.");
    const before = toolsAsked(model);

    await hall.client.tools.invoke({ member: pliable, tool: "change", input: {} });
    await expect.poll(() => echoOf(hall), patience).toMatchObject({ accepted: false });
    await send(session, "Second.");
    const withheld = toolsAsked(model);
    await hall.client.roster.accept(pliable, [{ name: "echo", hash: (await echoOf(hall))?.hash ?? "" }]);
    await send(session, "Third.");

    expect(before).toContain("mcp__pliable__echo");
    expect(withheld).toContain("mcp__pliable__change");
    expect(withheld).not.toContain("mcp__pliable__echo");
    expect(toolsAsked(model)).toContain("mcp__pliable__echo");
  });

  it("is told when a member dies in the middle of a call, and goes on; the member is back for the next message (REQ-GH1-21)", async () => {
    const { hall, send } = setHall(
      calls("mcp__pliable__die"),
      says("It died."),
      calls("mcp__pliable__echo", { text: "again" }),
      says("It came back."),
    );
    const session = await hall.client.sessions.create({ name: "Fragile", members: [pliable] });

    const { startedAt: firstLife } = await hall.client.roster.get(pliable);
    const dead = await send(session, "Be careful.");
    await expect.poll(async () => (await hall.client.roster.get(pliable)).startedAt, patience).not.toBeOneOf([firstLife, null]);
    await untilConnected(hall, pliable);
    const alive = await send(session, "Once more.");

    expect(dead.filter(({ type }) => type === "tool_result")).toMatchObject([{ isError: true }]);
    expect(dead.at(-1)).toMatchObject({ text: "It died." });
    expect(alive.filter(({ type }) => type === "tool_result")).toMatchObject([{ isError: false, content: textIn("You said: again") }]);
    expect((await hall.client.sessions.get(session.id)).session).toMatchObject({ status: "idle", error: null });
  });

  it("works without a member that is broken, and knows which one is missing", async () => {
    const { hall, model, send } = setHall(says("I do what I can."));
    await putMember(hall.home, "dying", playedBy("stdio", "dies"));
    await expect.poll(async () => (await hall.client.roster.list()).members.map(({ name }) => name), patience).toContain("dying");
    const session = await hall.client.sessions.create({ name: "Short of one", members: [pliable, "dying"] });
    await expect.poll(async () => (await hall.client.roster.get("dying")).status, patience).toBe("error");

    const blocks = await send(session, "Go.");

    expect(blocks.at(-1)).toMatchObject({ text: "I do what I can." });
    expect(JSON.stringify(model.requests.at(-1)?.body.system)).toContain("not available at the moment: dying (not running)");
    expect(toolsAsked(model)).toContain("mcp__pliable__echo");
  });
});

const says = (text: string): Reply => ({ text });
const calls = (name: string, input: Record<string, string> = {}): Reply => ({ tools: [{ name, input }] });
const textIn = (text: string): unknown => expect.arrayContaining([expect.objectContaining({ text })]);

/** The hall with the member `pliable`, whose model says these things one after the other from now on, the last one for ever. */
function setHall(...replies: Reply[]) {
  let asked = 0;
  answer = () => replies[Math.min((asked += 1), replies.length) - 1];
  return { hall, model, send: (session: Session, text: string) => sendAndWait(hall, session, text) };
}

/** Answers what the agent said and did about the message. */
async function sendAndWait(hall: HallProcess, { id }: Session, text: string): Promise<Block[]> {
  const { messageId } = await hall.client.sessions.send(id, text);
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;
  const { messages } = await hall.client.sessions.get(id);
  return messages.slice(messages.findIndex((message) => message.id === messageId) + 1).flatMap(({ blocks }) => blocks);
}

async function watch(hall: HallProcess, { id }: Session, signal: AbortSignal): Promise<void> {
  const read = async () => {
    for await (const _event of hall.client.events({ open: id, signal }));
  };
  await read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

const toolsAsked = (model: ScriptedModel): string[] => model.requests.at(-1)?.body.tools?.map(({ name }) => name) ?? [];

const echoOf = async (hall: HallProcess) => (await hall.client.roster.get(pliable)).tools.find(({ name }) => name === "echo");
