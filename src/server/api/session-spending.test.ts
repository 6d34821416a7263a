import { describe, expect, it, onTestFinished } from "vitest";
import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Session } from "../../schema/session.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { composeTestHall } from "../composed-hall.testing.ts";

/** An answer that costs 44 cents with the model that the SDK takes by itself. */
const dear: Reply = { text: "Dear.", usage: { inputTokens: 60_000, outputTokens: 10_000 } };

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

  it("all run where there is enough for all, or where their own limits are small", async () => {
    const { client } = await hallSaying({ text: "Cheap.", usage: { inputTokens: 10, outputTokens: 10 } }, { perDayUsd: 1.1 });
    const sessions = await newSessions(client, 2);
    const thrifty = await newSessions(client, 2, { maxBudgetUsd: 0.05 });

    const sent = await sendToAll(client, [...sessions, ...thrifty]);

    expect(sent.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const { id } of [...sessions, ...thrifty]) expect((await rest(client, id)).error).toBeNull();
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

/** The session when nothing runs in it. */
async function rest(client: HallClient, id: SessionId): Promise<Session> {
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  return (await client.sessions.get(id)).session;
}
