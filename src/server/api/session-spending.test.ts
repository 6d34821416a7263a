import { describe, expect, it, onTestFinished } from "vitest";
import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { Session } from "../../schema/session.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { composeTestHall } from "../composed-hall.testing.ts";

/** An answer that costs 44 cents with the model that the SDK takes by itself. */
const dear: Reply = { text: "Dear.", usage: { inputTokens: 60_000, outputTokens: 10_000 } };

/** The same, with more to come. It takes a while, as with any model: an agent that is stopped has not had its next answer by then. */
const again: Reply = {
  tools: [{ name: "Glob", input: { pattern: "*" } }],
  usage: { inputTokens: 60_000, outputTokens: 10_000 },
  delayMs: 400,
};

describe("queries at the same time", () => {
  it("cost no more than is left of the day: close to the limit, others wait until it is known what one costs", async () => {
    const { client } = await hallSaying(dear, { perDayUsd: 0.5 });
    const sessions = await newSessions(client, 5);

    const sent = await sendToAll(client, sessions);
    const costs = await Promise.all(sessions.map(async ({ id }) => (await rest(client, id)).costUsd));

    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = sent.find(({ status }) => status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "budget", details: { limit: "day", limitUsd: 0.5 } } });
    expect(refused).toHaveProperty(
      "reason.message",
      expect.stringContaining("those that run may use up the rest. Wait until they have ended"),
    );
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(0.44, 6);
    expect((await client.spending.get()).today.costUsd).toBeCloseTo(0.44, 6);
  });

  it("pause before their next response when together they have used up the day", async () => {
    const { client } = await hallSaying(again, { perDayUsd: 2 });
    const sessions = await newSessions(client, 2);

    await sendToAll(client, sessions);
    const waits = await Promise.all(sessions.map(async ({ id }) => atLimit(client, id)));
    await client.runs.stopAll();
    const ended = await Promise.all(sessions.map(async ({ id }) => (await client.sessions.get(id)).session));

    for (const wait of waits) expect(wait).toMatchObject({ limit: "day", message: expect.stringContaining("$2.00") as string });
    const { today } = await client.spending.get();
    expect(today.costUsd).toBeLessThanOrEqual(2 + 2 * 0.44);
    expect(ended.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeCloseTo(today.costUsd, 6);
  });

  it("all run where there is enough for all, or where their own limits are small", async () => {
    const { client } = await hallSaying({ fault: { how: "hang" } }, { perDayUsd: 1.1 });
    const sessions = await newSessions(client, 2);
    const thrifty = await newSessions(client, 1, { maxBudgetUsd: 0.05 });

    const sent = await sendToAll(client, [...sessions, ...thrifty]);

    expect(sent.filter(({ status }) => status === "rejected")).toEqual([]);
    expect((await client.sessions.list({ status: "running" })).sessions).toHaveLength(3);
  });
});

describe("a query that its money does not carry to the end", () => {
  it("pauses and says which limit that was, its own or that of its session; finished with what there is, it says why the next one may not begin", async () => {
    const { client } = await hallSaying(again, {});
    const [own, whole] = [await newSessions(client, 1, { maxBudgetUsd: 0.3 }), await newSessions(client, 1, { maxCostUsd: 0.3 })];
    const sessions = [...own, ...whole];

    await sendToAll(client, sessions);
    const waits = await Promise.all(sessions.map(async ({ id }) => atLimit(client, id)));
    const errors = await Promise.all(sessions.map(async ({ id }) => finish(client, id)));
    await client.spending.setLimit({ perDayUsd: 0.3 });
    const [ofDay] = await sendToAll(client, own);
    await client.spending.clearLimit();
    const next = await sendToAll(client, sessions);

    expect(waits).toMatchObject([
      { limit: "run", message: "The answer has cost $0.44, and its limit is $0.30." },
      { limit: "session", message: "The session has cost $0.44, and its limit is $0.30." },
    ]);
    expect(errors).toEqual([null, null]);
    expect(ofDay).toMatchObject({
      reason: {
        code: "budget",
        message: expect.stringMatching(/have cost (an estimated )?\$0\.88, and the limit is \$0\.30 a day\. Raise it for today/) as string,
      },
    });
    const raise = expect.stringContaining('Session "Session 0" has cost $0.44, and its limit is $0.30. Raise the limit') as string;
    expect(next).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "budget", message: raise } }]);
  });
});

async function hallSaying(reply: Reply, limits: object) {
  const model = await startScriptedModel({ script: () => reply });
  onTestFinished(() => model.close());
  const hall = await composeTestHall({
    config: { limits },
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
  });
  return { ...hall, model };
}

async function newSessions(client: HallClient, count: number, limits: Session["limits"] = {}): Promise<Session[]> {
  return Promise.all(Array.from({ length: count }, async (_, index) => client.sessions.create({ name: `Session ${index}`, limits })));
}

const sendToAll = (client: HallClient, sessions: readonly Session[]) =>
  Promise.allSettled(sessions.map(({ id }) => client.sessions.send(id, "Spend.")));

/** The limit that the session's run waits at. */
async function atLimit(client: HallClient, id: SessionId): Promise<WaitingFor> {
  for await (const { event } of client.sessions.events(id))
    if (event.event === "waiting" && event.data.waitingFor.kind === "budget") return event.data.waitingFor;
  throw new Error("It ended without waiting at a limit.");
}

/** Ends the run that waits with what there is. Returns the error of its session. */
async function finish(client: HallClient, id: SessionId): Promise<Session["error"]> {
  const { messages } = await client.sessions.get(id);
  await client.runs.finish(messages.find(({ role }) => role === "user")?.id ?? "");
  return (await rest(client, id)).error;
}

/** The session when nothing runs in it. */
async function rest(client: HallClient, id: SessionId): Promise<Session> {
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  return (await client.sessions.get(id)).session;
}
