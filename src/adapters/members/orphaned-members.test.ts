import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { MemberName } from "../../schema/ids.ts";
import { startProgram } from "../files/child-program.testing.ts";
import { createMemberLauncher } from "./member-launcher.ts";
import { isRunning, setMemberStage } from "./member-stage.testing.ts";
import { launcherDeps } from "./orphan-maker.testing.ts";
import { playedBy } from "./played-member.testing.ts";

describe("members of a hall that was killed with -9", () => {
  it.each(["stdio", "http"])("over %s die with it, and the next one ends all they started (SEC-17)", async (transport) => {
    const home = join(await temporaryFolder(), "home");
    const killed = startProgram(new URL("./orphan-maker.testing.ts", import.meta.url), [home, transport]);
    const pids = (await killed.line()).split(" ").map(Number);
    expect(pids.map(isRunning)).toEqual([true, true, true, true]);
    await killed.kill();
    await expect.poll(() => pids.map(isRunning)).toEqual([false, true, true, true]);

    const ended = await createMemberLauncher(launcherDeps(home)).endOrphans();

    expect(ended).toBe(1);
    expect(pids.map(isRunning)).toEqual([false, false, false, false]);
    expect(await createMemberLauncher(launcherDeps(home)).endOrphans()).toBe(0);
  });

  it("on a system without setpriv are ended by the next one, with all they started", async () => {
    const home = join(await temporaryFolder(), "home");
    const env = { ...process.env, PATH: await temporaryFolder() };
    const killed = startProgram(new URL("./orphan-maker.testing.ts", import.meta.url), [home, "http"], { env });
    const pids = (await killed.line()).split(" ").map(Number);
    await killed.kill();
    expect(pids.map(isRunning)).toEqual([true, true, true, true]);

    const ended = await createMemberLauncher(launcherDeps(home)).endOrphans();

    expect(ended).toBe(1);
    expect(pids.map(isRunning)).toEqual([false, false, false, false]);
    expect(await createMemberLauncher(launcherDeps(home)).endOrphans()).toBe(0);
  });

  it.each([
    ["got the pid of a member", { started: "1" }],
    ["has the pid that a member had in another container", { namespace: "pid:[1]" }],
    ["has the pid that a member had on another machine", { machine: "another" }],
  ])("never cost a stranger its life that %s", async (_how, difference) => {
    const { layout, ...deps } = launcherDeps(join(await temporaryFolder(), "home"));
    const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const name = MemberName.parse("gone");
    await deps.records.begin(name, { mark: "gone:1", port: null, startedAt: deps.now() });
    await deps.records.identify(name, stranger.pid ?? 0);
    const record = JSON.parse(await readFile(layout.memberState(name), "utf8")) as { process: object }; // as it was just written
    await writeFile(layout.memberState(name), JSON.stringify({ ...record, process: { ...record.process, ...difference } }));

    const ended = await createMemberLauncher(deps).endOrphans();

    expect(ended).toBe(0);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it("that were not even known to run yet are found by their mark", async () => {
    const { layout: _layout, ...deps } = launcherDeps(join(await temporaryFolder(), "home"));
    const env = { ...process.env, GUILD_HALL_MEMBER: "early:1" };
    const early = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore", env });
    onTestFinished(() => void early.kill("SIGKILL"));
    await deps.records.begin(MemberName.parse("early"), { mark: "early:1", port: null, startedAt: deps.now() });

    const ended = await createMemberLauncher(deps).endOrphans();

    expect(ended).toBe(1);
    await expect.poll(() => early.signalCode, { timeout: 20_000 }).toBe("SIGKILL");
  });

  it("leave records of which a broken one is no obstacle", async () => {
    const { layout, ...deps } = launcherDeps(join(await temporaryFolder(), "home"));
    await deps.records.begin(MemberName.parse("gone"), { mark: "gone:1", port: null, startedAt: deps.now() });
    await writeFile(layout.memberState(MemberName.parse("broken")), "{ half");

    expect(await createMemberLauncher(deps).endOrphans()).toBe(0);
    expect(await readdir(layout.memberStates)).toEqual(["broken.broken.json"]);
  });
});

describe("the end of many members", () => {
  it("takes no longer than that of one", async () => {
    const stage = await setMemberStage({ limits: { startsAtOnce: 4, handshakeMs: 60_000, callMs: 1000 } });
    const members = Array.from({ length: 4 }, () => stage.launch(playedBy("stdio", "ignores-sigterm")));
    await Promise.all(members.map(({ connected }) => connected));
    const pids = await Promise.all(members.map(async ({ ask }) => Number(await ask("pid"))));

    await Promise.all(members.map(({ end }) => end()));

    expect(pids.filter(isRunning)).toEqual([]);
  });
});
