import { expect, it, onTestFinished } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startHallProcess } from "../running-hall.ts";
import { putMember, untilConnected } from "./members-by-hand.ts";

it("the main agent dispatches a job, looks at it, relays its question and fetches its result; without workers it hears nothing of them (REQ-WD-39)", async () => {
  let jobId = "";
  const steps: (() => Reply)[] = [
    () => calls("dispatch", { description: "Prices", task: "progress Looking.\nask Which year?\nwait\nresult Bread costs 3." }),
    () => ({ text: "Dispatched." }),
    () => calls("status", { jobId }),
    () => calls("result", { jobId }),
    () => ({ text: "It asks which year." }),
    () => calls("result", { jobId }),
    () => ({ text: "Bread costs 3." }),
    () => ({ text: "Nothing to dispatch to." }),
  ];
  let asked = 0;
  const model = await startScriptedModel({ script: () => steps[asked++]?.() });
  onTestFinished(() => model.close());
  const hall = await startHallProcess({ env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
  await putMember(hall.home, "played", playedWorker({ tools: true }));
  await putMember(hall.home, "scribe", playedBy("stdio", "well"));
  await untilConnected(hall, "played", "scribe");
  const { id } = await hall.client.sessions.create({ name: "Delegates", members: ["played", "scribe"] });
  const results = async (text: string): Promise<{ text: string; isError: boolean }[]> => {
    const { messageId } = await hall.client.sessions.send(id, text);
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;
    const { messages } = await hall.client.sessions.get(id);
    const said = messages.slice(messages.findIndex((message) => message.id === messageId) + 1).flatMap(({ blocks }) => blocks);
    return said.flatMap((block) => (block.type === "tool_result" ? [{ text: JSON.stringify(block.content), isError: block.isError }] : []));
  };

  const dispatched = await results("Find the price of bread.");
  jobId = (await hall.client.jobs.list()).jobs[0]?.jobId ?? "";
  const looked = await results("How far is it?");
  await hall.client.tools.invoke({ member: MemberName.parse("played"), tool: "go_on", input: { jobId } });
  const fetched = await results("And now?");

  expect(jobId).not.toBe("");
  expect(dispatched[0]?.text).toContain(jobId);
  expect(looked).toMatchObject([{ isError: false }, { isError: true }]);
  expect(looked[0]?.text).toContain("Which year?");
  expect(looked[1]?.text).toContain("is running, and has no result");
  expect(fetched[0]?.text).toContain("Bread costs 3.");
  const [first] = model.requests;
  expect(JSON.stringify(first?.body.system)).toContain("played: mcp__played-dispatch__dispatch");
  expect(JSON.stringify(first?.body.system)).not.toContain("mcp__scribe-dispatch");
  const tools = first?.body.tools?.map(({ name }) => name) ?? [];
  expect(tools.filter((name) => name.includes("-dispatch__"))).toEqual(
    ["cancel", "delete", "dispatch", "list", "result", "status"].map((name) => `mcp__played-dispatch__${name}`),
  );

  const alone = await hall.client.sessions.create({ name: "Alone", members: ["scribe"] });
  await hall.client.sessions.send(alone.id, "Hello.");
  for await (const { event } of hall.client.sessions.events(alone.id)) if (event.event === "done") break;

  const last = model.requests.at(-1)?.body;
  expect(JSON.stringify(last?.system)).not.toContain("# Workers");
  expect(last?.tools?.some(({ name }) => name.includes("-dispatch__"))).toBe(false);
});

const calls = (tool: string, input: Record<string, string>): Reply => ({ tools: [{ name: `mcp__played-dispatch__${tool}`, input }] });
