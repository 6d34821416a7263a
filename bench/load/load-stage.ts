import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { Manifest } from "../../src/schema/manifest.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { buildWeb } from "../../scripts/build-web.ts";
import { spawnHall } from "../../test/hall-process.ts";
import type { HallProcess } from "../../test/hall-process.ts";
import { makeSessions } from "../index/make-sessions.ts";
import { residentMebibytes } from "../process-usage.ts";
import { inspectable, liveHeapMebibytes } from "./live-heap.ts";

/** What the hall has from the start. */
export type Furniture = {
  sessions: number;
  jobs: number;
  members: number;
  toolsEach: number;
  /** Whether the members that come with a hall are there too. */
  hasBundled: boolean;
};

/** In MiB: what the kernel counts, and what the hall cannot let go. */
export type HallMemory = { resident: number; live: number };

export type LoadStage = {
  hall: HallProcess;
  pid: number;
  memory(): Promise<HallMemory>;
  /** How often the model was asked since the start. */
  modelCalls(): number;
  end(): Promise<void>;
};

/** A furnished hall as a process of its own, with all of its members connected, and a model that answers as it is told each time. */
export async function setLoadStage(furniture: Furniture, reply: () => Reply): Promise<LoadStage> {
  await buildWeb({ ifStale: true });
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  const home = join(folder, "home");
  await furnish(home, furniture);
  let modelCalls = 0;
  const script = (): Reply => {
    modelCalls += 1;
    return reply();
  };
  const model = await startScriptedModel({ script, keep: { count: 1, bytes: 1 } });
  const env = { ...inspectable, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "bench" };
  const hall = await spawnHall(home, { ...(furniture.hasBundled ? {} : { bundled: false }), env });
  const { pid } = hall.process;
  if (pid === undefined) throw new Error("The hall was never started.");
  while (!(await areConnected(hall, furniture.members + 1))) await pause(200);
  return {
    hall,
    pid,
    async memory() {
      const resident = await residentMebibytes(pid);
      return { resident, live: await liveHeapMebibytes(hall.said()) };
    },
    modelCalls: () => modelCalls,
    async end() {
      await hall.end("SIGTERM");
      await model.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function furnish(home: string, { sessions, jobs, members, toolsEach }: Furniture): Promise<void> {
  await makeSessions(home, sessions);
  await addMember(home, "archive", playedWorker({ jobs }));
  for (let number = 1; number <= members; number += 1)
    await addMember(home, `member-${number}`, playedBy(number % 2 === 0 ? "stdio" : "http", "well", toolsEach));
}

async function addMember(home: string, name: string, played: Pick<Manifest, "transport" | "mcp">): Promise<void> {
  const folder = createLayout(home).guildMember(MemberName.parse(name));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const about = { name, displayName: name, description: "To be measured.", version: "1.0.0" };
  await writeFile(join(folder, "guild-member.json"), JSON.stringify({ ...about, ...played }));
}

async function areConnected({ client }: HallProcess, least: number): Promise<boolean> {
  const { members } = await client.roster.list();
  return members.length >= least && members.every(({ status }) => status === "connected");
}
