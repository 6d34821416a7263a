import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isRunning } from "../../src/adapters/members/member-stage.testing.ts";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import type { HallClient } from "../../src/client/hall-client.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { openHallInProcess } from "../../src/server/hall-in-process.testing.ts";
import type { HallInProcess } from "../../src/server/hall-in-process.testing.ts";
import { processesOf } from "../faults/processes.ts";
import { startSharedHallProcess } from "../running-hall.ts";
import { patience, putMember, statusOf, untilConnected } from "./members-by-hand.ts";

/** 44 cents with the model that the SDK takes by itself. */
const usage = { inputTokens: 60_000, outputTokens: 10_000 };
const spent = 3 * 0.44;
/** What a hall leaves of the queries that ran. */
const leftOfQueries = ["state/engine", "state/progress"];

let model: ScriptedModel;
let home: string;
/** The hall that was opened last. */
let hall: HallInProcess;
let isOpen = false;
const seen: { agents: number[]; family: number[]; afterKill: number[] } = { agents: [], family: [], afterKill: [] };
const sessions = {} as Record<"spending" | "copied" | "broken", SessionId>; // filled before anybody looks

/** A hall that is killed in the middle of everything, and what a disk and a person made of some of its files. */
beforeAll(async () => {
  model = await startScriptedModel({
    script: {
      turns: [
        ...[1, 2, 3].map((step) => ({
          when: { userContains: "Work.", step },
          reply: { tools: [{ name: "Glob", input: { pattern: "*" } }], usage },
        })),
        { when: { userContains: ["Work.", "Hang."] }, reply: { fault: { how: "hang" } } },
        { reply: { text: "Here I am." } },
      ],
    },
  });
  const killed = await startSharedHallProcess({
    bundled: false,
    waiting: false,
    env: environment(),
    async prepare(folder) {
      await putMember(folder, "stubborn", playedBy("http", "ignores-sigterm"));
      await putMember(folder, "parent", playedBy("stdio", "well"));
    },
  });
  const { client } = killed;
  home = killed.home;
  for (const name of ["spending", "copied", "broken"] as const) sessions[name] = (await client.sessions.create({ name })).id;
  await Promise.all([spendAll(client, sessions.spending), client.sessions.send(sessions.broken, "Hang.")]);
  await model.waitForRequest(({ conversation }) => conversation.userTexts.includes("Hang."));
  seen.family = await familyIn(killed);
  seen.agents = await processesOf(join(home, "claude"));
  await killed.end("SIGKILL");
  await vi.waitUntil(() => ![...seen.agents, ...leadersOf(seen.family)].some(isRunning), patience);
  seen.afterKill = seen.family.filter(isRunning);

  for (const part of leftOfQueries) await cp(join(home, part), join(`${home}-left`, part), { recursive: true });
  const record = join(home, "sessions", sessions.copied, "session.json");
  await writeFile(record, (await readFile(record, "utf8")).replace('"idle"', '"running"'));
  const open = join(home, "state/engine/open");
  for (const name of await readdir(open)) {
    const path = join(open, name);
    if ((await readFile(path, "utf8")).includes(sessions.broken)) await writeFile(path, "garbage");
  }
  await openAgain("second");
});
afterAll(async () => {
  if (isOpen) await hall.close();
  await model.close();
});

const environment = () => ({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" });
async function openAgain(name: string): Promise<void> {
  const env = { ...process.env, ...environment() };
  hall = await openHallInProcess({ folder: `${home}-${name}`, home, env, config: { runs: { waiting: 0 } } });
  isOpen = true;
}
async function closeAgain(): Promise<void> {
  isOpen = false;
  await hall.close();
}

describe("after kill -9 the next hall", () => {
  it("has ended what the members had started, before it answers; they and the agents died with the first (SEC-17)", async () => {
    expect(seen.agents).not.toEqual([]);
    expect(seen.family).toHaveLength(8);
    expect(seen.afterKill).toHaveLength(6);
    expect([...seen.agents, ...seen.family].filter(isRunning)).toEqual([]);
    await untilConnected(hall, "stubborn", "parent");
  });

  it("tells the truth about a query that ran", async () => {
    const { session, messages } = await hall.client.sessions.get(sessions.spending);

    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(messages[0]).toMatchObject({ role: "user", blocks: [{ type: "text", text: "Work." }] });
    expect((await hall.client.sessions.list({ status: "running" })).sessions).toEqual([]);
    expect(await costs(hall.client, sessions.spending)).toMatchObject({ session: spent, today: spent, isEstimate: true });
  });

  it("settles a session that says it runs while nothing does, which can be deleted then", async () => {
    const { session } = await hall.client.sessions.get(sessions.copied);

    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    await hall.client.sessions.remove(sessions.copied);
  });

  it("is not kept from starting by a query that cannot be read, and settles it", async () => {
    const { session } = await hall.client.sessions.get(sessions.broken);

    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(await readFile(join(home, "logs/hall.log"), "utf8")).toContain(".job.json is broken");
  });
});

describe("the members of a hall that closes", () => {
  it("end with it, also those that ignore the request, and all they started (SEC-17)", async () => {
    const family = await familyIn(hall);

    await closeAgain();

    expect(family).toHaveLength(8);
    expect(family.filter(isRunning)).toEqual([]);
  });
});

describe("the hall after that", () => {
  it("counts what was spent once, however often it is settled, keeps to the limit, and goes on with the conversation where there is money", async () => {
    const { spending: id } = sessions;
    // The members have shown what they can.
    await rm(join(home, "guild-members"), { recursive: true });
    for (const part of leftOfQueries) {
      await rm(join(home, part), { recursive: true });
      await cp(join(`${home}-left`, part), join(home, part), { recursive: true });
    }
    await openAgain("third");
    const twice = await costs(hall.client, id);
    await hall.client.sessions.change(id, { limits: { maxCostUsd: 1 } });
    const refused = hall.client.sessions.send(id, "Go on.");

    expect(twice).toMatchObject({ session: spent, today: spent, isEstimate: true });
    await expect(refused).rejects.toMatchObject({ code: "budget", details: { limit: "session" } });
    await hall.client.sessions.change(id, { limits: { maxCostUsd: 1000 } });
    await hall.client.sessions.send(id, "Are you there?");
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;
    expect((await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: null });
    expect(model.requests.at(-1)?.conversation.userTexts[0]).toContain("Work.");
  });
});

describe("an agent's process that is killed", () => {
  it("has what it spent counted", async () => {
    const { id } = await hall.client.sessions.create({ name: "Orphaned" });
    const before = await costs(hall.client, id);
    await spendAll(hall.client, id);

    for (const pid of await processesOf(join(home, "claude"))) process.kill(pid, "SIGKILL");
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;

    expect((await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    const after = await costs(hall.client, id);
    expect(after).toMatchObject({ session: spent, queries: before.queries + 1, isEstimate: true });
    expect(after.today - before.today).toBeCloseTo(spent, 6);
  });
});

/** One that does not listen to SIGTERM, and one that does, each with children of its own. */
async function familyIn(of: { client: HallClient }): Promise<number[]> {
  for (const name of ["stubborn", "parent"]) await vi.waitUntil(async () => (await statusOf(of, name)) === "connected", patience);
  return [...(await familyOf(of, "stubborn")), ...(await familyOf(of, "parent"))];
}

/** The members themselves, without what they started. */
const leadersOf = (family: readonly number[]): number[] => family.filter((_pid, at) => at % 4 === 0);

/** A played member over stdio or HTTP, and what it started: a child, one that left its group, and one with nothing left of it. */
async function familyOf({ client }: { client: HallClient }, member: string): Promise<number[]> {
  const ask = async (tool: string): Promise<string> => {
    const { content } = await client.tools.invoke({ member: MemberName.parse(member), tool, input: {} });
    return content[0]?.type === "text" ? content[0].text : "";
  };
  const pids = [Number(/"pid":(\d+)/.exec(await ask("surroundings"))?.[1])];
  for (const way of ["fork", "fork-away", "fork-forsaken"]) pids.push(Number(await ask(way)));
  return pids;
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
  return { session: rounded(session.costUsd), today: rounded(today.costUsd), queries: today.queries, isEstimate: today.isEstimate };
}
