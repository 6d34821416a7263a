import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HallClient } from "../../src/client/hall-client.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { until } from "./until.ts";

/** The members that a hall brings: a packed home has only their jobs and memory. */
export const bundled = ["example", "researcher"];

/** The model of the hall that opens a home again. Its answers cost nothing. */
export const replyAfterwards = (): Reply => ({ text: "Here you are.", usage: { inputTokens: 0, outputTokens: 0 } });

/** What was cut off is settled or has come to its end. */
export async function untilAtRest({ client, home }: { client: HallClient; home: string }): Promise<void> {
  const ids = await readdir(join(home, "jobs"));
  await until(async () => {
    const isConnected = (await client.roster.get("researcher")).status === "connected";
    const running = isConnected ? (await client.jobs.list({ worker: "researcher", status: "running" })).jobs : [];
    const { sessions } = await client.sessions.list({ status: "running" });
    const runs = await Promise.all(ids.map((id) => client.runs.get(id)));
    const active = runs.filter(({ state }) => state === "queued" || state === "running");
    return isConnected && [...running, ...sessions, ...active].length === 0;
  });
}
