import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { isRunning } from "../../src/adapters/members/member-stage.testing.ts";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { patience, putMember, statusOf, untilConnected } from "./members-by-hand.ts";

describe("the processes of members", () => {
  let hall: HallProcess;
  let pids: number[];
  beforeAll(async () => {
    const prepare = async (home: string) => {
      await putMember(home, "stubborn", playedBy("http", "ignores-sigterm"));
      await putMember(home, "parent", playedBy("stdio", "well"));
    };
    hall = await startSharedHall({ bundled: false, prepare });
    pids = await familyOf(hall);
  });

  it("are gone when a hall answers that was started after the last one was killed (SEC-17)", async () => {
    await hall.end("SIGKILL");
    const left = pids.filter(isRunning);
    hall = await startSharedHall({ home: hall.home });
    await hall.client.health();

    expect(pids).toHaveLength(8);
    expect(left).not.toEqual([]);
    expect(pids.filter(isRunning)).toEqual([]);
    await untilConnected(hall, "stubborn", "parent");
  });

  it("are never confused with a stranger that has the recorded process id by now", async () => {
    await hall.end("SIGKILL");
    const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const record = join(hall.home, "state/members/stubborn.json");
    const written = await readFile(record, "utf8");
    await writeFile(record, written.replace(/"pid":\s*\d+/, `"pid": ${stranger.pid}`));

    hall = await startSharedHall({ home: hall.home });
    await untilConnected(hall, "stubborn");

    expect(written).toMatch(/"pid":\s*\d+/);
    expect(isRunning(stranger.pid ?? 0)).toBe(true);
  });

  it("end with the hall, also those that ignore the request, and all they started (SEC-17)", async () => {
    const family = await familyOf(hall);

    const ended = await hall.end("SIGTERM");

    expect(family).toHaveLength(8);
    expect(ended).toEqual({ code: 0, signal: null });
    expect(family.filter(isRunning)).toEqual([]);
  });
});

/** One that does not listen to SIGTERM, and one that has children of its own, of which one left its group and one has nothing left of it. */
async function familyOf(hall: HallProcess): Promise<number[]> {
  for (const name of ["stubborn", "parent"]) await vi.waitUntil(async () => (await statusOf(hall, name)) === "connected", patience);
  const ask = async (member: string, tool: string): Promise<string> => {
    const { content } = await hall.client.tools.invoke({ member: MemberName.parse(member), tool, input: {} });
    return content[0]?.type === "text" ? content[0].text : "";
  };
  const pidOf = async (member: string) => Number(/"pid":(\d+)/.exec(await ask(member, "surroundings"))?.[1]);
  const children = async (member: string): Promise<number[]> => {
    const pids: number[] = [];
    for (const way of ["fork", "fork-away", "fork-forsaken"]) pids.push(Number(await ask(member, way)));
    return pids;
  };
  return [await pidOf("stubborn"), await pidOf("parent"), ...(await children("stubborn")), ...(await children("parent"))];
}
