import { existsSync } from "node:fs";
import { once } from "node:events";
import { cp, lstat, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../../src/adapters/members/member-stage.testing.ts";
import type { HallEvent } from "../../src/schema/hall-event.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { JobId } from "../../src/schema/job.ts";
import type { SessionEvent } from "../../src/schema/session-event.ts";
import type { Session } from "../../src/schema/session.ts";
import { composeTestHall } from "../../src/server/composed-hall.testing.ts";
import { leadersOf } from "../faults/processes.ts";
import { rawRequest } from "../raw-request.ts";
import { startSharedHallProcess } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { patience, putMember, untilConnected } from "./members-by-hand.ts";
import { pliableMember } from "./pliable-member.fixture.ts";

const slowly = "Please give me a long answer";

describe("a hall", () => {
  let hall: HallProcess;
  beforeAll(async () => {
    hall = await startSharedHallProcess({ bundled: "researcher" });
  });

  it("answers a first message with the real agent on the demo model, as a stream and as a history that stays (REQ-GH1-2, REQ-GH1-3, REQ-GH1-28)", async () => {
    const session = await hall.client.sessions.create({ name: "First" });

    await hall.client.sessions.send(session.id, "Give me the tour");
    const events = (await streamed(hall, session)).map(({ event }) => event);

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

  it("takes one message at a time and says so; what runs is replayed from its start to whoever comes later, and its tail to whoever comes back (REQ-GH1-23)", async () => {
    const session = await hall.client.sessions.create({ name: "Busy" });

    const sent = await Promise.allSettled(Array.from({ length: 8 }, () => hall.client.sessions.send(session.id, slowly)));
    await texts(hall, session, 3);
    const whole = streamed(hall, session);
    const [start, ...begun] = await texts(hall, session, 5);
    const tail = streamed(hall, session, begun.at(-1)?.id);
    await texts(hall, session, 8);
    const stopped = await hall.client.sessions.stop(session.id);
    const ids = (await whole).map(({ id }) => id);
    const atRest = await streamed(hall, session);

    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = sent.filter((each) => each.status === "rejected");
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "conflict" });
    expect(ids[0]).toBe(start?.id);
    expect((await tail).map(({ id }) => id)).toEqual(ids.slice(begun.length + 1));
    expect(atRest.map(({ id }) => id)).toEqual(["rest.0", "rest.1"]);
    expect(stopped).toMatchObject({ status: "idle", error: { code: "stopped" } });
    expect(await agentsOf(hall)).toEqual([]);
    await expect(hall.client.sessions.stop(session.id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("tells every page of a session whose folder a person deletes", async () => {
    const { id } = await hall.client.sessions.create({ name: "Doomed" });
    const heard: HallEvent[] = [];
    const leaving = new AbortController();
    const opened = Promise.withResolvers<void>();
    const listening = (async () => {
      for await (const { event } of hall.client.events({ signal: leaving.signal, onOpen: () => opened.resolve() })) heard.push(event);
    })();
    await opened.promise;

    await rm(join(hall.home, "sessions", id), { recursive: true });

    await expect.poll(() => heard).toContainEqual({ event: "session", data: { id, status: null } });
    expect((await hall.client.sessions.list()).sessions.map((session) => session.id)).not.toContain(id);
    leaving.abort();
    await expect(listening).rejects.toThrow("abort");
  });

  it("has one session in error where a person breaks its record, a sentence with the file, a page of it, and the file as it was", async () => {
    const { id } = await hall.client.sessions.create({ name: "Broken" });
    const record = join(hall.home, "sessions", id, "session.json");
    await writeFile(record, "{ not json");

    const { session } = await hall.client.sessions.get(id);
    const refused = hall.client.sessions.send(id, "hello");

    expect(session).toMatchObject({ status: "error", error: { code: "file_broken" } });
    expect(session.error?.message).toContain(record);
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    expect(await readFile(record, "utf8")).toBe("{ not json");
    expect((await rawRequest(hall.url, { path: `/sessions/${id}` })).status).toBe(200);
  });

  it("cancels the call of a client that goes away, at the member too", async () => {
    const folder = await putMember(hall.home, "patient", pliableMember());
    await untilConnected(hall, "patient");
    const leaving = new AbortController();

    const called = hall.client.tools.invoke({ member: MemberName.parse("patient"), tool: "hang", input: {} }, leaving.signal);
    await expect.poll(() => existsSync(join(folder, "hanging")), patience).toBe(true);
    leaving.abort();

    await expect(called).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => existsSync(join(folder, "cancelled")), patience).toBe(true);
    await expect
      .poll(async () => (await hall.client.tools.calls()).calls, patience)
      .toMatchObject([{ tool: "hang", outcome: { isError: true } }]);
    await hall.client.roster.remove("patient");
  });

  it("still answers on a connection that was idle for longer than it said it may be", async () => {
    const idle = await openIdleConnection(hall.url);
    await expect.poll(() => performance.now() - idle.since, { timeout: 10_000 }).toBeGreaterThan(saidIdleMs + nodesOwnBufferMs);

    idle.ask();

    await expect.poll(() => idle.answers()).toBe(2);
  });

  it("turns nobody away of as many as it has streams, when all of them come while it is busy", async () => {
    const { hostname, port } = new URL(hall.url);
    let connected = 0;
    hall.process.kill("SIGSTOP");
    const sockets = Array.from({ length: 1024 }, () => connect(Number(port), hostname, () => (connected += 1)));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));

    await expect
      .poll(() => connected)
      .toBe(sockets.length)
      .finally(() => hall.process.kill("SIGCONT"));

    expect(await hall.client.health()).toMatchObject({ status: "ok" });
  });

  it("ends its children, says how many runs it interrupted, exits with 0 on SIGTERM, and leaves nothing that others could read (SEC-16, SEC-17)", async () => {
    await untilConnected(hall, "researcher");
    // What the SDK kept of a job goes when it is completed, and stays where it failed.
    const { jobId } = await hall.client.jobs.dispatch("researcher", { description: "Tour", task: "tour" });
    const failed = await hall.client.jobs.dispatch("researcher", { description: "Cut off", task: "tour", config: { maxTurns: 1 } });
    const statusOf = async (id: JobId) => (await hall.client.jobs.get("researcher", id)).status;
    await expect.poll(() => Promise.all([jobId, failed.jobId].map(statusOf)), { timeout: 60_000 }).toEqual(["completed", "failed"]);
    await expectDemo(hall, jobId);
    const session = await hall.client.sessions.create({ name: "Cut short" });
    await hall.client.sessions.send(session.id, slowly);
    await texts(hall, session, 1);
    let agents: number[] = [];
    await expect.poll(async () => (agents = await agentsOf(hall))).not.toEqual([]);

    const ended = await hall.end("SIGTERM");

    expect(ended).toEqual({ code: 0, signal: null });
    expect(hall.said()).toMatch(/\nStopped\. 1 run was interrupted; its session offers to continue\.\n$/);
    expect(agents.filter(isRunning)).toEqual([]);
    const { paths, open } = await modesIn(hall.home);
    const jobs = "guild-members/researcher/jobs";
    for (const folder of [
      "claude/config/projects",
      "guild-members/researcher",
      `${jobs}/${jobId}/artifacts`,
      `${jobs}/${failed.jobId}/sdk/config/projects`,
    ])
      expect(paths.some((path) => path.startsWith(`${join(hall.home, folder)}/`))).toBe(true);
    expect(open).toEqual([]);
    const { client } = await composeTestHall({
      async prepare(home) {
        for (const part of ["version", "sessions", "state/engine"]) await cp(join(hall.home, part), join(home, part), { recursive: true });
      },
    });
    const after = await client.sessions.get(session.id);
    expect(after.session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(after.messages.map(({ role, interrupted }) => [role, interrupted ?? false])).toEqual([
      ["user", false],
      ["assistant", true],
    ]);
  }, 120_000);
});

/** A job without a model: all that people read of it says that it is scripted. */
async function expectDemo({ client, home }: HallProcess, jobId: JobId): Promise<void> {
  const { summary, questions } = await client.jobs.get("researcher", jobId);
  const { output, artifacts } = await client.jobs.result("researcher", jobId);
  const { events } = await client.jobs.events("researcher", jobId);
  expect(artifacts).toEqual(["artifacts/demo/steps.md"]);
  for (const text of [output, questions?.[0], summary]) expect(text).toContain("Scripted demo, no AI");
  const page = await readFile(join(home, "guild-members/researcher/jobs", jobId, "artifacts/demo/steps.md"), "utf8");
  expect(page).toContain("No AI was involved");
  expect(events.filter((event) => event.type === "tool_result" && event.isError)).toEqual([]);
}

const saidIdleMs = 5000;
const nodesOwnBufferMs = 1000;

/** A connection that has been asked once, and waits to be asked again. */
async function openIdleConnection(url: string) {
  const { hostname, port, host } = new URL(url);
  let heard = "";
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  socket.on("data", (text: string) => (heard += text));
  // It is cut off with the hall.
  socket.on("error", () => undefined);
  const ask = () => void socket.write(`GET /api/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const answers = () => heard.split("HTTP/1.1 200").length - 1;
  ask();
  await once(socket, "data");
  expect(heard.toLowerCase()).toContain(`keep-alive: timeout=${saidIdleMs / 1000}`);
  return { since: performance.now(), ask, answers };
}

/** What lies in a home, what the agent's process wrote included, and what of it is open to others. */
async function modesIn(home: string): Promise<{ paths: string[]; open: { path: string; mode: number }[] }> {
  // The link to the hall's packages has no mode of its own, and what is behind it, which Node 26 lists too, is not in the home.
  const packages = join(home, "node_modules");
  const listed = await readdir(home, { recursive: true, withFileTypes: true });
  const entries = listed.filter((entry) => !entry.isSymbolicLink() && !entry.parentPath.startsWith(packages));
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await lstat(path)).mode & 0o077 })));
  return { paths, open: modes.filter(({ mode }) => mode !== 0) };
}

async function streamed(hall: HallProcess, session: Session, lastEventId?: string) {
  const seen: { id: string | undefined; event: SessionEvent }[] = [];
  for await (const each of hall.client.sessions.events(session.id, lastEventId === undefined ? {} : { lastEventId })) seen.push(each);
  return seen;
}

/** What was streamed until so many pieces of text were there. */
async function texts(hall: HallProcess, session: Session, count: number) {
  const seen: { id: string | undefined; event: SessionEvent }[] = [];
  for await (const each of hall.client.sessions.events(session.id)) {
    seen.push(each);
    if (seen.filter(({ event }) => event.event === "text").length === count) break;
  }
  return seen;
}

const toolsIn = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((each) => (each.event === "tool_use" ? [each.data.name] : []));

const textOf = (events: readonly SessionEvent[], messageId: string): string =>
  events.flatMap((each) => (each.event === "text" && each.data.messageId === messageId ? [each.data.text] : [])).join("");

/** Process ids of the SDK's children: they work in the home folder of this test and nowhere else. */
const agentsOf = ({ home }: HallProcess): Promise<number[]> => leadersOf(join(home, "claude"));
