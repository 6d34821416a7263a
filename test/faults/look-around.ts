import { setTimeout as pause } from "node:timers/promises";
import type { HallClient } from "../../src/client/hall-client.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { wholeHistory } from "./conversation.ts";
import type { Furnished } from "./furnished-home.ts";
import { played } from "./furnished-home.ts";

/** What can be seen of a hall, by its parts. What a part cannot show is the sentence that says so. */
export type Sight = Map<string, string>;

const patienceMs = 10_000;

export async function lookAround(client: HallClient, { one, two, three }: Furnished): Promise<Sight> {
  const parts: [string, Promise<unknown>][] = [
    [one, seeSession(client, one)],
    [two, seeSession(client, two)],
    [three, seeStanding(client, three)],
    ["sessions", seeList(client)],
    ["search", seeSearch(client, one)],
    ["saved calls", client.tools.calls({ saved: "true" })],
    ["tool calls", client.tools.calls({ saved: "false" })],
    ["spending", client.spending.get()],
    [played, seeMember(client)],
  ];
  const seen = parts.map(async ([part, looking]): Promise<[string, string]> => {
    const found = await looking.catch((error: unknown) => `It cannot be seen: ${String(error)}`);
    return [part, JSON.stringify(found)];
  });
  return new Map(await Promise.all(seen));
}

async function seeSession(client: HallClient, id: SessionId) {
  const { session, messages } = await wholeHistory({ client }, id);
  const { messages: waiting } = await client.sessions.queue.list(id);
  const { text } = await client.sessions.context.read(id);
  const { artifacts } = await client.sessions.artifacts.list(id);
  const contents = await Promise.all(artifacts.map(async ({ path }) => (await client.sessions.artifacts.read(id, path)).text()));
  return { session, messages, waiting, text, artifacts: artifacts.map(({ path, size }) => ({ path, size })), contents };
}

/** Of one that was being answered, when and how far is different each time. */
async function seeStanding(client: HallClient, id: SessionId) {
  const { status, error } = (await client.sessions.get(id)).session;
  return { status, error };
}

/** Complete, once the hall has found all of them. */
async function seeList(client: HallClient) {
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(20)) {
    const { sessions, counts } = await client.sessions.list({ limit: 100 });
    if (counts !== null) return sessions.map(({ id, name }) => `${id} ${name}`).toSorted();
  }
  throw new Error("The list of sessions is never complete.");
}

/** What was said is found, once all of it was read. */
async function seeSearch(client: HallClient, one: SessionId) {
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(20)) {
    const { sessions } = await client.sessions.list({ q: "Hello again" });
    if (sessions.some(({ id }) => id === one)) return sessions.map(({ id }) => id).toSorted();
  }
  return [];
}

async function seeMember(client: HallClient) {
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(20)) {
    const { status, error, tools } = await client.roster.get(played);
    if (status === "connected" || error !== null)
      return { status, error, tools: tools.map(({ name, accepted, hash }) => ({ name, accepted, hash })) };
  }
  throw new Error("The member is neither connected, nor does it say why.");
}
