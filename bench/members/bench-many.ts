import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { createHallClient } from "../../src/client/hall-client.ts";
import type { HallClient } from "../../src/client/hall-client.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { serving } from "../hall/serving.ts";
import { askedHealth, watchHealth } from "../hall/watch-health.ts";
import { counted, measured } from "../measured.ts";
import { percentile } from "../median.ts";
import { timed } from "../timed.ts";
import { manyBareClients } from "./many-bare-clients.ts";
import { addPublicMember } from "./public-member.ts";

const budgets = { upMs: 40_000, healthMs: 250, stopMs: 5000 };

const nameOf = (number: number): string => `member-${number}`;
const transportOf = (number: number) => (number % 2 === 0 ? "stdio" : "http");

/** Fifty members, half of them over each transport: until all are up, while they come, and until all are gone. */
export async function benchMany(effort: Effort): Promise<BenchRow[]> {
  const [count, parallel] = [effort.size(50), effort.size(40)];
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    for (let number = 0; number < count; number += 1) await addPublicMember(home, nameOf(number), transportOf(number));
    let stopping = 0;
    const ours = await serving(home, async (url) => {
      const hall = createHallClient({ baseUrl: url });
      const found = {
        ...(await comingUp(hall, url, count)),
        idle: await askedHealth(url, effort.rounds(200)),
        own: await ownAnswers(hall, parallel, count),
      };
      stopping = performance.now();
      return found;
    });
    // Each has a record until the last of its processes is gone.
    while ((await readdir(createLayout(home).memberStates)).length > 0) await pause(20);
    const stopMs = performance.now() - stopping;
    const bare = await manyBareClients(Array.from({ length: count }, (_, number) => transportOf(number)));
    return [
      measured({
        name: `${count} members are up`,
        ours: ours.upMs,
        unit: "ms",
        baseline: { value: bare.upMs, of: "bare MCP clients" },
        budget: { most: budgets.upMs },
      }),
      measured({
        name: "/api/health meanwhile, 95%",
        ours: percentile(ours.meanwhile, 95),
        unit: "ms",
        baseline: { value: percentile(ours.idle, 95), of: "when they are up" },
        budget: { most: budgets.healthMs },
      }),
      counted(`${parallel} calls at once get their own answers`, ours.own, parallel),
      measured({
        name: `the hall with ${count} members stops`,
        ours: stopMs,
        unit: "ms",
        baseline: { value: bare.stopMs, of: "bare MCP clients" },
        budget: { most: budgets.stopMs },
      }),
    ];
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** From the moment the hall answers, which is before any member does. */
async function comingUp(hall: HallClient, url: string, count: number): Promise<{ upMs: number; meanwhile: number[] }> {
  const watch = watchHealth(url);
  const isUp = async () => {
    const { members } = await hall.roster.list();
    return members.filter(({ name, status }) => name.startsWith("member-") && status === "connected").length === count;
  };
  const upMs = await timed(async () => {
    while (!(await isUp())) await pause(500);
  });
  return { upMs, meanwhile: await watch.end() };
}

async function ownAnswers(hall: HallClient, parallel: number, count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: parallel }, async (_, number) => {
      const message = `call ${number}`;
      const { content } = await hall.tools.invoke({ member: MemberName.parse(nameOf(number % count)), tool: "echo", input: { message } });
      return JSON.stringify(content).includes(`"Echo: ${message}"`);
    }),
  );
  return answers.filter(Boolean).length;
}
