import { execFileSync, spawnSync } from "node:child_process";
import { lstat, readFile, readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { SessionEvent } from "../../src/schema/session-event.ts";
import type { Session } from "../../src/schema/session.ts";
import type { HallProcess } from "../running-hall.ts";
import { startHallProcess, startSharedHall } from "../running-hall.ts";

const slowly = "Please give me a long answer";

describe("a hall", () => {
  let hall: HallProcess;
  beforeAll(async () => {
    hall = await startSharedHall();
  });

  it("answers a first message with the real agent on the demo model, as a stream and as a history that stays (REQ-GH1-2, REQ-GH1-3, REQ-GH1-28)", async () => {
    const session = await hall.client.sessions.create({ name: "First" });

    await hall.client.sessions.send(session.id, "Give me the tour");
    const events = await collect(hall, session);

    expect((await hall.client.health()).model.backend).toBe("demo");
    expect(events.at(-1)).toEqual({ event: "done", data: {} });
    expect(toolsIn(events)).toEqual(expect.arrayContaining(["Glob", "Write"]));
    const { messages, session: after } = await hall.client.sessions.get(session.id);
    expect(after).toMatchObject({ status: "idle", error: null, messageCount: messages.length });
    const written = await readFile(join(hall.home, "sessions", session.id, "artifacts/tour.md"), "utf8");
    expect(written).toContain("tour");
    for (const message of messages.filter(({ role }) => role === "assistant")) {
      const stored = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      expect(textOf(events, message.id)).toBe(stored);
    }
  });

  it("takes one message at a time and says so (REQ-GH1-23)", async () => {
    const session = await hall.client.sessions.create({ name: "Busy" });

    const sent = await Promise.allSettled(Array.from({ length: 8 }, () => hall.client.sessions.send(session.id, slowly)));

    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = sent.filter((each) => each.status === "rejected");
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "conflict" });
    const stopped = await hall.client.sessions.stop(session.id);
    expect(stopped).toMatchObject({ status: "idle", error: { code: "stopped" } });
    expect(agentsOf(hall)).toEqual([]);
    await expect(hall.client.sessions.stop(session.id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("replays a running query from its start to whoever comes later, and its tail to whoever comes back", async () => {
    const session = await hall.client.sessions.create({ name: "Replay" });
    await hall.client.sessions.send(session.id, "Show me markdown");
    const first = await collect(hall, session);

    const half = Math.floor(first.length / 2);
    const ids = (await streamed(hall, session)).map(({ id }) => id);
    await hall.client.sessions.send(session.id, "Show me markdown");
    const whole = await streamed(hall, session);
    const tail = await streamed(hall, session, whole[half]?.id);

    expect(ids).toEqual(["rest.0", "rest.1"]);
    expect(tail.map(({ id }) => id)).toEqual(whole.slice(half + 1).map(({ id }) => id));
  });

  it("turns nobody away of as many as it has streams, when all of them come while it is busy", async () => {
    const { hostname, port } = new URL(hall.url);
    let connected = 0;
    hall.process.kill("SIGSTOP");
    const sockets = Array.from({ length: 1024 }, () => connect(Number(port), hostname, () => (connected += 1)));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));

    await expect.poll(() => connected).toBe(sockets.length).finally(() => hall.process.kill("SIGCONT"));

    expect(await hall.client.health()).toMatchObject({ status: "ok" });
  });

  it("ends its children, says how many runs it interrupted, exits with 0 on SIGTERM, and leaves nothing that others could read (SEC-16, SEC-17)", async () => {
    await expect.poll(async () => (await hall.client.roster.get("researcher")).status).toBe("connected");
    const { jobId } = await hall.client.jobs.dispatch("researcher", { description: "Tour", task: "tour" });
    await expect.poll(async () => (await hall.client.jobs.get("researcher", jobId)).status).toBe("completed");
    // What the SDK kept of a job goes when it is completed, and stays where it failed.
    const failed = await hall.client.jobs.dispatch("researcher", { description: "Cut off", task: "tour", config: { maxTurns: 1 } });
    await expect.poll(async () => (await hall.client.jobs.get("researcher", failed.jobId)).status).toBe("failed");
    const kept = `guild-members/researcher/jobs/${failed.jobId}/sdk/config/projects`;
    const session = await hall.client.sessions.create({ name: "Cut short" });
    await hall.client.sessions.send(session.id, slowly);
    await firstText(hall, session);
    const agents = agentsOf(hall);

    const ended = await hall.end("SIGTERM");

    expect(agents.length).toBeGreaterThan(0);
    expect(ended).toEqual({ code: 0, signal: null });
    expect(hall.said()).toMatch(/\nStopped\. 1 run was interrupted; its session offers to continue\.\n$/);
    expect(agents.filter(isRunning)).toEqual([]);
    const { paths, open } = await modesIn(hall.home);
    const written = `guild-members/researcher/jobs/${jobId}/artifacts`;
    for (const folder of ["claude/config/projects", "guild-members/example", written, kept])
      expect(paths.some((path) => path.startsWith(`${join(hall.home, folder)}/`))).toBe(true);
    expect(open).toEqual([]);
    const again = await startHallProcess({ home: hall.home });
    const after = await again.client.sessions.get(session.id);
    expect(after.session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(after.messages.map(({ role, interrupted }) => [role, interrupted ?? false])).toEqual([
      ["user", false],
      ["assistant", true],
    ]);
  });

  it("finds out after kill -9 what was running, tells the truth about it and leaves no process behind", async () => {
    const hall = await startHallProcess({ bundled: false });
    const session = await hall.client.sessions.create({ name: "Killed" });
    await hall.client.sessions.send(session.id, slowly);
    await firstText(hall, session);
    const agents = agentsOf(hall);

    await hall.end("SIGKILL");
    const again = await startHallProcess({ home: hall.home });

    const after = await again.client.sessions.get(session.id);
    expect(after.session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(after.messages[0]).toMatchObject({ role: "user", blocks: [{ type: "text", text: slowly }] });
    expect(agents.filter(isRunning)).toEqual([]);
    await again.client.sessions.send(session.id, "hello");
    await collect(again, session);
    expect((await again.client.sessions.get(session.id)).session).toMatchObject({ status: "idle", error: null });
  });
});

/** What lies in a home, what the agent's process wrote included, and what of it is open to others. */
async function modesIn(home: string): Promise<{ paths: string[]; open: { path: string; mode: number }[] }> {
  // The link to the hall's packages has no mode of its own, and what is behind it is not in the home.
  const entries = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => !entry.isSymbolicLink());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await lstat(path)).mode & 0o077 })));
  return { paths, open: modes.filter(({ mode }) => mode !== 0) };
}

async function streamed(hall: HallProcess, session: Session, lastEventId?: string) {
  const seen: { id: string | undefined; event: SessionEvent }[] = [];
  for await (const each of hall.client.sessions.events(session.id, lastEventId === undefined ? {} : { lastEventId })) seen.push(each);
  return seen;
}

const collect = async (hall: HallProcess, session: Session): Promise<SessionEvent[]> =>
  (await streamed(hall, session)).map(({ event }) => event);

async function firstText(hall: HallProcess, session: Session): Promise<void> {
  for await (const { event } of hall.client.sessions.events(session.id)) if (event.event === "text") return;
}

const toolsIn = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((each) => (each.event === "tool_use" ? [each.data.name] : []));

const textOf = (events: readonly SessionEvent[], messageId: string): string =>
  events.flatMap((each) => (each.event === "text" && each.data.messageId === messageId ? [each.data.text] : [])).join("");

/** Process ids of the SDK's children: they work in the home folder of this test and nowhere else. */
function agentsOf(hall: HallProcess): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => Number(found?.[2]) === hall.process.pid && /claude/.test(found?.[3] ?? ""))
    .map((found) => Number(found?.[1]));
}

/** One that ended and waits to be noticed is not running. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}
