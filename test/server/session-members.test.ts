import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { Block, Session } from "../../src/schema/session.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { openTestHall } from "../../src/server/composed-hall.testing.ts";
import type { TestHall } from "../../src/server/composed-hall.testing.ts";
import { leadersOf } from "../faults/processes.ts";
import { patience, putMember, statusOf, untilConnected } from "./members-by-hand.ts";
import { longName, oddMember } from "./odd-member.fixture.ts";
import { pliableMember } from "./pliable-member.fixture.ts";

const pliable = MemberName.parse("pliable");
const odd = MemberName.parse("odd");

let answer: () => Reply | undefined;
let model: ScriptedModel;
let hall: TestHall;

beforeAll(async () => {
  model = await startScriptedModel({ script: () => answer() });
  const { close, ...open } = await openTestHall({
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
    async prepare(home) {
      await putMember(home, "pliable", pliableMember());
      await putMember(home, "odd", oddMember());
      await putMember(home, "web", playedBy("http", "well"));
      await putMember(home, "dying", playedBy("stdio", "dies"));
    },
  });
  hall = open;
  await vi.waitUntil(async () => (await statusOf(hall, "pliable")) === "connected", patience);
  return async () => {
    await close();
    await model.close();
  };
});

describe("the agent of a session with guild members", () => {
  it("calls their tools, over stdio and over HTTP, is told when one dies in the middle of a call, and goes on; the member is back for the next message (REQ-GH1-20, REQ-GH1-21)", async () => {
    const { hall, send } = setHall(
      calls("mcp__pliable__echo", { text: "over stdio" }),
      calls("mcp__web__echo", { text: "over HTTP" }),
      calls("mcp__pliable__die"),
      says("It died."),
      calls("mcp__pliable__echo", { text: "again" }),
      says("It came back."),
    );
    await untilConnected(hall, "web");
    const session = await hall.client.sessions.create({ name: "Two ways", members: [pliable, "web"] });

    const { startedAt: firstLife } = await hall.client.roster.get(pliable);
    const blocks = await send(session, "Ask them both.");
    await expect.poll(async () => (await hall.client.roster.get(pliable)).startedAt, patience).not.toBeOneOf([firstLife, null]);
    await untilConnected(hall, pliable);
    const alive = await send(session, "Once more.");

    const names = ["mcp__pliable__echo", "mcp__web__echo", "mcp__pliable__die"];
    expect(blocks.filter(({ type }) => type === "tool_use")).toMatchObject(names.map((name) => ({ name })));
    const [overStdio, overHttp, dead] = blocks.filter(({ type }) => type === "tool_result");
    expect(overStdio).toMatchObject({ isError: false, content: textIn("You said: over stdio") });
    expect(overHttp).toMatchObject({ isError: false, content: textIn('{"text":"over HTTP"}') });
    expect(dead).toMatchObject({ isError: true });
    expect(blocks.at(-1)).toEqual({ type: "text", text: "It died." });
    expect(alive.filter(({ type }) => type === "tool_result")).toMatchObject([{ isError: false, content: textIn("You said: again") }]);
    expect((await hall.client.sessions.get(session.id)).session).toMatchObject({ status: "idle", error: null });
  });

  it("is offered each tool that a model can be offered, with its input as the tool's schema says, and hears of the others, as the person does", async () => {
    const inputs = [{ question: "Why?" }, { number: 7 }];
    const { hall, model, send } = setHall(
      {
        tools: [
          ...inputs.map((input) => ({ name: "mcp__odd__choose", input: { input } })),
          { name: "mcp__odd__choose", input: { input: { number: 7, question: "Why?" } } },
          { name: "mcp__odd__say", input: { input: "hello" } },
          { name: "mcp__odd__plain", input: { text: "hello" } },
          { name: "mcp__odd__a_b", input: {} },
          { name: "mcp__odd__gr__e_in_cm", input: {} },
        ],
      },
      says("Done."),
    );
    await untilConnected(hall, odd);
    const session = await hall.client.sessions.create({ name: "Odd tools", members: [odd] });

    const blocks = await send(session, "Try them all.");

    expect(toolsAsked(model).filter((name) => name.startsWith("mcp__odd__"))).toEqual(
      ["a_b", "choose", "gr__e_in_cm", "plain", "say"].map((name) => `mcp__odd__${name}`),
    );
    expect(blocks.flatMap((block) => (block.type === "tool_use" ? [block.input] : []))).toEqual([
      ...inputs,
      { number: 7, question: "Why?" },
      "hello",
      { text: "hello" },
      {},
      {},
    ]);
    expect(blocks.filter(({ type }) => type === "tool_result")).toMatchObject([
      { isError: false, content: textIn('choose: {"question":"Why?"}') },
      { isError: false, content: textIn('choose: {"number":7}') },
      { isError: true },
      { isError: false, content: textIn('say: "hello"') },
      { isError: false, content: textIn('plain: {"text":"hello"}') },
      { isError: false, content: textIn("a.b: {}") },
      { isError: false, content: textIn("größe/in cm: {}") },
    ]);
    const { note = "" } = await hall.client.roster.get(odd);
    const system = String(model.requests.at(-1)?.conversation.system);
    const refused = ['"broken"', `"${longName.slice(0, 59)}…"`];
    for (const name of refused) expect(note).toContain(name);
    for (const name of refused) expect(system).toContain(name);
    const sameName = 'its name for agents, "mcp__odd__a_b", is that of another tool';
    expect(note).toContain(`"a/b": ${sameName} ("a.b")`);
    expect(system).toContain(`"a?b" (${sameName})`);
  });

  it("does not get a tool that changed until a person has accepted it, not even where a process waited for it; has the tools of its own members and of no others, works without one that is broken, and knows which one is missing; without a worker it hears nothing of jobs (SEC-12, REQ-WD-36)", async () => {
    const { hall, model, send } = setHall(says("I do what I can."));
    const session = await hall.client.sessions.create({ name: "Changes", members: [pliable, "dying"] });
    await expect.poll(async () => (await hall.client.roster.get("dying")).status, patience).toBe("error");
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    void watch(hall, session, leaving.signal);
    await expect.poll(() => leadersOf(join(hall.home, "claude")), patience).toHaveLength(1);

    await hall.client.tools.invoke({ member: pliable, tool: "change", input: {} });
    await expect.poll(() => echoOf(hall), patience).toMatchObject({ accepted: false });
    const first = send(session, "First.");
    await model.waitForRequest(({ conversation }) => conversation.userTexts.includes("First."));
    leaving.abort();
    await first;
    const withheld = toolsAsked(model);
    await hall.client.roster.accept(pliable, [{ name: "echo", hash: (await echoOf(hall))?.hash ?? "" }]);
    const blocks = await send(session, "Second.");

    expect(withheld).toContain("mcp__pliable__change");
    expect(withheld).not.toContain("mcp__pliable__echo");
    expect(toolsAsked(model)).toContain("mcp__pliable__echo");
    expect(blocks.at(-1)).toMatchObject({ text: "I do what I can." });
    const system = JSON.stringify(model.requests.at(-1)?.body.system);
    expect(system).toContain("not available at the moment: dying (not running)");
    expect(system).not.toContain("# Workers");
    const servers = new Set(toolsAsked(model).flatMap((name) => (name.startsWith("mcp__") ? [name.split("__")[1]] : [])));
    expect(servers).toEqual(new Set(["guild_hall", "pliable"]));
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
async function sendAndWait(hall: TestHall, { id }: Session, text: string): Promise<Block[]> {
  const { messageId } = await hall.client.sessions.send(id, text);
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;
  const { messages } = await hall.client.sessions.get(id);
  return messages.slice(messages.findIndex((message) => message.id === messageId) + 1).flatMap(({ blocks }) => blocks);
}

async function watch(hall: TestHall, { id }: Session, signal: AbortSignal): Promise<void> {
  const read = async () => {
    for await (const _event of hall.client.events({ open: id, signal }));
  };
  await read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

const toolsAsked = (model: ScriptedModel): string[] => model.requests.at(-1)?.body.tools?.map(({ name }) => name) ?? [];

const echoOf = async (hall: TestHall) => (await hall.client.roster.get(pliable)).tools.find(({ name }) => name === "echo");
