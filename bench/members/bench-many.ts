import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { createHallClient } from "../../src/client/hall-client.ts";
import type { HallClient } from "../../src/client/hall-client.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { BenchRow } from "../bench-row.ts";
import { serving } from "../hall/serving.ts";
import { percentile } from "../median.ts";
import { addPublicMember } from "./public-member.ts";

const count = 50;
const parallel = 40;
const budgets = { upMs: 40_000, healthMs: 250, stopMs: 5000 };

const nameOf = (number: number): string => `member-${number}`;

/** Fifty members, half of them over each transport: until all are up, while they come, and until all are gone. */
export async function benchMany(): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    for (let number = 0; number < count; number += 1) await addPublicMember(home, nameOf(number), number % 2 === 0 ? "stdio" : "http");
    let stopping = 0;
    const measured = await serving(home, async (url) => {
      const hall = createHallClient({ baseUrl: url });
      const found = { ...(await comingUp(hall, url)), own: await ownAnswers(hall) };
      stopping = performance.now();
      return found;
    });
    // Each has a record until the last of its processes is gone.
    while ((await readdir(createLayout(home).memberStates)).length > 0) await pause(20);
    const stopMs = performance.now() - stopping;
    return [
      row(`${count} members are up`, `${(measured.upMs / 1000).toFixed(1)} s`, `< ${budgets.upMs / 1000} s`, measured.upMs < budgets.upMs),
      row(
        "/api/health meanwhile, 95%",
        `${percentile(measured.healths, 95).toFixed(1)} ms of ${measured.healths.length}`,
        `< ${budgets.healthMs} ms`,
        percentile(measured.healths, 95) < budgets.healthMs,
      ),
      row(`${parallel} calls at once get their own answers`, `${measured.own} of ${parallel}`, "all", measured.own === parallel),
      row(
        `the hall with ${count} members stops`,
        `${(stopMs / 1000).toFixed(1)} s`,
        `< ${budgets.stopMs / 1000} s`,
        stopMs < budgets.stopMs,
      ),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** From the moment the hall answers, which is before any member does. */
async function comingUp(hall: HallClient, url: string): Promise<{ upMs: number; healths: number[] }> {
  const start = performance.now();
  const healths: number[] = [];
  const isUp = async () => {
    const { members } = await hall.roster.list();
    return members.filter(({ name, status }) => name.startsWith("member-") && status === "connected").length === count;
  };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${url}/api/health`)).text();
      healths.push(performance.now() - asked);
      await pause(20);
    }
  })();
  while (!(await isUp())) await pause(500);
  const upMs = performance.now() - start;
  isOver = true;
  await watching;
  return { upMs, healths };
}

async function ownAnswers(hall: HallClient): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: parallel }, async (_, number) => {
      const message = `call ${number}`;
      const { content } = await hall.tools.invoke({ member: MemberName.parse(nameOf(number % count)), tool: "echo", input: { message } });
      return JSON.stringify(content).includes(`"Echo: ${message}"`);
    }),
  );
  return answers.filter(Boolean).length;
}

const row = (name: string, ours: string, budget: string, holds: boolean): BenchRow => ({
  name,
  ours,
  baseline: "",
  ratio: null,
  budget,
  holds,
});
