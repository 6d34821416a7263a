import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Session } from "../../schema/session.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { composeTestHall } from "../composed-hall.testing.ts";

const answer: Reply = { text: "Here it is.", usage: { inputTokens: 1000, outputTokens: 200 } };
const endless: Reply = { text: "It begins, and nothing follows.", chunkSize: 4, fault: { how: "stall", afterChunks: 2 } };

describe("the tokens of a session", () => {
  it("are added up over its queries, and kept for the next hall; those of an answer that was stopped are either told or said to be not known", async () => {
    const { client, home } = await hallSaying(answer, answer, endless);
    const { id } = await client.sessions.create({ name: "Counted" });
    await talk(client, id);
    const { usage } = await talk(client, id);
    const next = await composeTestHall({ prepare: (fresh) => cp(join(home, "sessions"), join(fresh, "sessions"), { recursive: true }) });
    await client.sessions.send(id, "And now?");
    for await (const { event } of client.sessions.events(id)) if (event.event === "text") break;
    const { usage: after } = await client.sessions.stop(id);

    expect(usage).toMatchObject({ inputTokens: 2000, outputTokens: 400, last: { inputTokens: 1000, outputTokens: 200, turns: 1 } });
    expect((await next.client.sessions.get(id)).session.usage).toEqual(usage);
    expect(after.inputTokens).toBe(2000 + (after.last?.inputTokens ?? 0));
    expect(after.last?.inputTokens).not.toBe(0);
  });
});

async function hallSaying(...replies: Reply[]) {
  let at = 0;
  const model = await startScriptedModel({ script: () => replies[at++] ?? answer });
  onTestFinished(() => model.close());
  return composeTestHall({ env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
}

async function talk(client: HallClient, id: SessionId): Promise<Session> {
  await client.sessions.send(id, "Tell me.");
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  return (await client.sessions.get(id)).session;
}
