import { cp, lstat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import type { HallClient } from "../../src/client/hall-client.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { HallInProcess } from "../../src/server/hall-in-process.testing.ts";
import type { Script } from "../../src/scripted-model/script.ts";

export const played = MemberName.parse("played");

/** The last one is being answered when the home is left. */
export type Furnished = { one: SessionId; two: SessionId; three: SessionId };

export const script: Script = {
  turns: [
    {
      when: { userContains: "slowly" },
      reply: { text: "Slowly, word by word.".repeat(50), chunkSize: 4, chunkDelayMs: 50, usage: { inputTokens: 0, outputTokens: 0 } },
    },
    { reply: { text: "You said: {{user}}", usage: { inputTokens: 3000, outputTokens: 100 } } },
  ],
};

/** Does in a hall whatever leaves a file, and copies its home in the middle of an answer, as a crash would leave it. */
export async function furnish({ client, home }: HallInProcess, left: string, { isShort }: { isShort: boolean }): Promise<Furnished> {
  const { transport, mcp } = playedBy("stdio", "well");
  await client.roster.add({ name: played, transport, ...mcp, confirmed: true });
  const [one, two, three] = await Promise.all(["One", "Two", "Three"].map(async (name) => (await client.sessions.create({ name })).id));
  if (one === undefined || two === undefined || three === undefined) throw new Error("Three sessions were asked for.");
  await client.sessions.artifacts.add(one, "notes.txt", new Blob(["A note."]));
  await client.spending.setLimit({ perDayUsd: 50, until: "always" });
  // One file is broken in a short round, and it need not be one of a queue.
  await Promise.all([talk(client, one, "Hello again."), isShort ? null : stopWithQueue(client, two), callTools(client)]);
  if (!isShort) await talk(client, one, "And again.");
  await client.sessions.send(three, "Say it slowly.");
  for await (const { event } of client.sessions.events(three)) if (event.event === "text") break;
  // What agents talk through while they run is no file.
  await cp(home, left, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
  await client.sessions.stop(three);
  return { one, two, three };
}

/** What waited when somebody pressed Stop waits still. */
async function stopWithQueue(client: HallClient, id: SessionId): Promise<void> {
  await client.sessions.send(id, "Say it slowly.");
  for await (const { event } of client.sessions.events(id)) if (event.event === "text") break;
  await client.sessions.send(id, "And then?", { queue: true });
  await client.sessions.stop(id);
}

async function callTools(client: HallClient): Promise<void> {
  await untilConnected(client);
  await client.tools.invoke({ member: played, tool: "echo", input: { text: "hello" } });
  await client.tools.save({ member: played, tool: "echo", input: { text: "hello" }, name: "Say hello" });
}

async function untilConnected(client: HallClient): Promise<void> {
  while ((await client.roster.get(played)).status !== "connected") await pause(20);
}

async function talk(client: HallClient, id: SessionId, text: string): Promise<void> {
  await client.sessions.send(id, text);
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") return;
}
