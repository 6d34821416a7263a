import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HallClient } from "../../src/client/hall-client.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { processesOf } from "../faults/processes.ts";
import { startHallProcess } from "../running-hall.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** 44 cents with the model that the SDK takes by itself. */
const response: Reply = { tools: [{ name: "Glob", input: { pattern: "*" } }], usage: { inputTokens: 60_000, outputTokens: 10_000 } };
const spent = 3 * 0.44;

describe("what was spent", () => {
  it("counts once when the hall is killed, however often what it left is settled", async () => {
    const model = await modelThatHangs();
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" };
    const killed = await startHallProcess({ bundled: false, env });
    const { id } = await killed.client.sessions.create({ name: "Killed" });
    await spendAll(killed.client, id);
    await killed.end("SIGKILL");
    const left = join(await temporaryFolder(), "left");
    for (const folder of ["state/queries", "state/progress"]) await cp(join(killed.home, folder), join(left, folder), { recursive: true });

    const second = await startHallProcess({ home: killed.home, env });
    const once = await costs(second.client, id);
    await second.end("SIGKILL");
    for (const folder of ["state/queries", "state/progress"]) {
      await rm(join(killed.home, folder), { recursive: true });
      await cp(join(left, folder), join(killed.home, folder), { recursive: true });
    }
    const third = await startHallProcess({ home: killed.home, env });
    const twice = await costs(third.client, id);
    await third.client.sessions.change(id, { limits: { maxCostUsd: 1 } });

    expect(once).toEqual({ session: spent, today: spent, queries: 1, isEstimate: true });
    expect(twice).toEqual(once);
    await expect(third.client.sessions.send(id, "Go on.")).rejects.toMatchObject({ code: "budget", details: { limit: "session" } });
  });

  it("counts when the agent's process is killed", async () => {
    const model = await modelThatHangs();
    const hall = await startHallProcess({ bundled: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
    const { id } = await hall.client.sessions.create({ name: "Orphaned" });
    await spendAll(hall.client, id);

    for (const pid of await processesOf(join(hall.home, "claude"))) process.kill(pid, "SIGKILL");
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;

    expect((await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(await costs(hall.client, id)).toEqual({ session: spent, today: spent, queries: 1, isEstimate: true });
  });
});

/** Answers three times with a tool call, and then no more. */
async function modelThatHangs() {
  let asked = 0;
  const model = await startScriptedModel({ script: () => ((asked += 1) <= 3 ? response : { fault: { how: "hang" } }) });
  onTestFinished(() => model.close());
  return model;
}

/** Resolves when all three responses are paid. */
async function spendAll(client: HallClient, id: SessionId): Promise<void> {
  await client.sessions.send(id, "Work.");
  for await (const { event } of client.sessions.events(id)) if (event.event === "usage" && event.data.turns === 3) return;
}

async function costs(client: HallClient, id: SessionId) {
  const { session } = await client.sessions.get(id);
  const { today } = await client.spending.get();
  const rounded = (usd: number) => Math.round(usd * 1e6) / 1e6;
  return { session: rounded(session.costUsd), today: today.costUsd, queries: today.queries, isEstimate: today.isEstimate };
}
