import { expect, it, onTestFinished } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startHallProcess } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { untilConnected } from "./members-by-hand.ts";

it("the main agent gives a job to the researcher, relays its question and presents its result; without a worker it hears nothing of jobs (REQ-WD-12, REQ-WD-36, REQ-WD-39, REQ-WD-40, WD-SC-5, WD-SC-6, WD-SC-15)", async () => {
  const job = { id: "", mayFinish: false };
  const [agent, worker] = [agentOf(job), workerOf(job)];
  const model = await startScriptedModel({
    script({ system }) {
      const step = (JSON.stringify(system).includes("main agent of a session") ? agent : worker).next();
      return step.done === true ? undefined : step.value;
    },
  });
  onTestFinished(() => model.close());
  const hall = await startHallProcess({ env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
  await untilConnected(hall, "researcher", "example");
  const { id } = await hall.client.sessions.create({ name: "Delegates", members: ["researcher", "example"] });

  const dispatched = await toolResults(hall, id, "Find the price of bread.");
  job.id = (await hall.client.jobs.list()).jobs[0]?.jobId ?? "";
  await expect.poll(async () => (await hall.client.jobs.get("researcher", job.id)).questions).toEqual(["Which year?"]);
  const looked = await toolResults(hall, id, "How far is it?");
  job.mayFinish = true;
  await expect.poll(async () => (await hall.client.jobs.get("researcher", job.id)).status).toBe("completed");
  const fetched = await toolResults(hall, id, "And now?");

  expect(dispatched[0]?.text).toContain(job.id);
  expect(looked).toMatchObject([{ isError: false }, { isError: true }]);
  expect(looked[0]?.text).toContain("Which year?");
  expect(looked[1]?.text).toContain("is running");
  expect(fetched).toMatchObject([{ isError: false, text: expect.stringContaining("Bread costs 3.") as string }]);
  const asked = model.requests.find(({ body }) => JSON.stringify(body.system).includes("main agent of a session"))?.body;
  expect(JSON.stringify(asked?.system)).toContain("- researcher: mcp__researcher-dispatch__dispatch");
  expect(JSON.stringify(asked?.system)).not.toContain("mcp__example-dispatch");
  const offered = asked?.tools?.map(({ name }) => name).filter((name) => /^mcp__(researcher|.*-dispatch)__/.test(name));
  expect(offered).toEqual(["cancel", "delete", "dispatch", "list", "result", "status"].map((name) => `mcp__researcher-dispatch__${name}`));

  const alone = await hall.client.sessions.create({ name: "Alone", members: ["example"] });
  await toolResults(hall, alone.id, "Hello.");

  const last = model.requests.at(-1)?.body;
  expect(JSON.stringify(last?.system)).not.toContain("# Workers");
  expect(last?.tools?.some(({ name }) => name.includes("-dispatch__"))).toBe(false);
}, 120_000);

type PlayedJob = { id: string; mayFinish: boolean };

function* agentOf(job: PlayedJob): Generator<Reply> {
  yield calls("researcher-dispatch", "dispatch", { description: "Prices", task: "What does bread cost?" });
  yield { text: "Dispatched." };
  yield calls("researcher-dispatch", "status", { jobId: job.id });
  yield calls("researcher-dispatch", "result", { jobId: job.id });
  yield { text: "It asks which year." };
  yield calls("researcher-dispatch", "result", { jobId: job.id });
  yield { text: "Bread costs 3." };
  yield { text: "There is nobody to dispatch to." };
}

function* workerOf(job: PlayedJob): Generator<Reply> {
  yield calls("worker-internal", "log_question", { question: "Which year?" });
  while (!job.mayFinish) yield { ...calls("worker-internal", "update_summary", { summary: "Still looking." }), delayMs: 1000 };
  yield calls("worker-internal", "submit_result", { output: "Bread costs 3." });
  yield { text: "Done." };
}

const calls = (server: string, tool: string, input: Record<string, string>): Reply => ({
  tools: [{ name: `mcp__${server}__${tool}`, input }],
});

/** What the tools answered that the agent called about this message. */
async function toolResults({ client }: HallProcess, id: SessionId, text: string) {
  const { messageId } = await client.sessions.send(id, text);
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  const { messages } = await client.sessions.get(id);
  const said = messages.slice(messages.findIndex((message) => message.id === messageId) + 1).flatMap(({ blocks }) => blocks);
  return said.flatMap((block) => (block.type === "tool_result" ? [{ text: JSON.stringify(block.content), isError: block.isError }] : []));
}
