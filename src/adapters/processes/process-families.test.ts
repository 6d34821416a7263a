import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../members/member-stage.testing.ts";
import { markNames } from "./mark.ts";
import { createProcessFamilies } from "./process-families.ts";

/** Starts the next one, without the mark and in a session of its own, and prints the pids from there on. */
const chain = `
const { spawn } = require("node:child_process");
const [, depth] = process.argv;
if (depth === "0") process.stdout.write("\\n");
else {
  const next = spawn(process.execPath, ["-e", process.env.CHAIN, depth - 1], { detached: true, env: { CHAIN: process.env.CHAIN } });
  process.stdout.write(next.pid + " ");
  next.stdout.pipe(process.stdout);
}
setInterval(() => {}, 1000);
`;

async function startChain(depth: number, mark: string): Promise<{ leader: ChildProcess & { pid: number }; pids: number[] }> {
  const leader = spawn(process.execPath, ["-e", chain, String(depth)], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CHAIN: chain, [markNames.member]: mark },
  });
  let said = "";
  leader.stdout.setEncoding("utf8");
  while (!said.endsWith("\n")) said += String((await once(leader.stdout, "data"))[0]);
  const pids = said.trim().split(" ").map(Number);
  onTestFinished(() => {
    for (const pid of [leader.pid ?? 0, ...pids].filter(isRunning)) process.kill(pid, "SIGKILL");
  });
  return { leader: Object.assign(leader, { pid: leader.pid ?? 0 }), pids };
}

describe("the family of a member", () => {
  it("is everybody it started, and whom these started, although they have neither its mark nor its group", async () => {
    const families = createProcessFamilies();
    const { leader, pids } = await startChain(3, "family:1");

    const family = await families.find({ mark: "family:1", group: leader.pid, isLed: true });
    leader.kill("SIGKILL");
    await once(leader, "exit");
    const hadAny = await families.end(family);

    expect(pids).toHaveLength(3);
    expect(new Set(family.known.keys())).toEqual(new Set([leader.pid, ...pids]));
    expect(hadAny).toBe(true);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("is found by the mark alone where nobody leads it", async () => {
    const families = createProcessFamilies();
    const { leader, pids } = await startChain(1, "family:2");

    const hadAny = await families.end(await families.find({ mark: "family:2", group: null, isLed: false }));

    expect(hadAny).toBe(true);
    expect([leader.pid, ...pids].filter(isRunning)).toEqual([]);
  });

  it("is nobody who got the pid of one of them, nor whom that one started", async () => {
    const families = createProcessFamilies();
    const { leader: stranger, pids } = await startChain(1, "stranger:1");
    const family = { mark: "family:3", group: null, known: new Map([[stranger.pid, "1"]]) };

    const hadAny = await families.end(family);

    expect(hadAny).toBe(false);
    expect([stranger.pid, ...pids].filter(isRunning)).toHaveLength(2);
  });

  it("is not told by the number of a group that is somebody else's by now", async () => {
    const families = createProcessFamilies();
    const { leader: stranger } = await startChain(1, "stranger:2");

    const family = await families.find({ mark: "family:4", group: stranger.pid, isLed: false });

    expect([...family.known.keys()]).toEqual([]);
  });
});
