import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../../src/adapters/members/member-stage.testing.ts";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startHallProcess } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { putMember, untilConnected } from "./members-by-hand.ts";

describe("the processes of members", () => {
  it("end with the hall, also those that ignore the request, and all they started (SEC-17)", async () => {
    const hall = await hallWithFamily();
    const pids = await familyOf(hall);

    const ended = await hall.end("SIGTERM");

    expect(pids).toHaveLength(8);
    expect(ended).toEqual({ code: 0, signal: null });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("are gone when a hall answers that was started after the last one was killed (SEC-17)", async () => {
    const hall = await hallWithFamily();
    const pids = await familyOf(hall);

    await hall.end("SIGKILL");
    const left = pids.filter(isRunning);
    const again = await startHallProcess({ home: hall.home });
    await again.client.health();

    expect(left).not.toEqual([]);
    expect(pids.filter(isRunning)).toEqual([]);
    await untilConnected(again, "stubborn", "parent");
  });

  it("are never confused with a stranger that has the recorded process id by now", async () => {
    const hall = await hallWithFamily();
    await hall.end("SIGKILL");
    const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const record = join(hall.home, "state/members/stubborn.json");
    const written = await readFile(record, "utf8");
    await writeFile(record, written.replace(/"pid":\s*\d+/, `"pid": ${stranger.pid}`));

    const again = await startHallProcess({ home: hall.home });
    await untilConnected(again, "stubborn");

    expect(written).toMatch(/"pid":\s*\d+/);
    expect(isRunning(stranger.pid ?? 0)).toBe(true);
  });
});

/** One that does not listen to SIGTERM, and one that has children of its own, of which one left its group and one has nothing left of it. */
async function hallWithFamily(): Promise<HallProcess> {
  const home = join(await temporaryFolder(), "home");
  await putMember(home, "stubborn", playedBy("http", "ignores-sigterm"));
  await putMember(home, "parent", playedBy("stdio", "well"));
  const hall = await startHallProcess({ home });
  await untilConnected(hall, "stubborn", "parent");
  return hall;
}

async function familyOf(hall: HallProcess): Promise<number[]> {
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
