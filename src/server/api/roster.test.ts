import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { pliableMember } from "../../../test/server/pliable-member.fixture.ts";
import { Problem } from "../../schema/problem.ts";
import { Member, MemberLogs, Roster } from "../../schema/roster.ts";
import { Session, SessionList } from "../../schema/session.ts";
import { ToolAnswer } from "../../schema/tool.ts";
import { ToolCall, ToolCallList } from "../../schema/tool-call.ts";
import { composeTestHall, openTestHall } from "../composed-hall.testing.ts";
import type { TestHall } from "../composed-hall.testing.ts";

describe("the Roster over the API", () => {
  /** For all who leave nothing in it, with a member. */
  let shared: TestHall;
  beforeAll(async () => {
    const { close, ...open } = await openTestHall();
    shared = open;
    await addPliable(shared);
    return close;
  });

  it("adds a member by its command, starts it, and lists it with its tools (REQ-GH1-6, REQ-GH1-24, SEC-11)", async () => {
    const hall = await composeTestHall();

    const added = await hall.ask("POST", "/api/roster", { name: "pliable", ...pliableMember().mcp, confirmed: true });
    await untilStatus(hall, "pliable", "connected");

    expect(added.status).toBe(201);
    expect(Member.parse(added.body)).toMatchObject({ name: "pliable", status: "disconnected", origin: "added", folder: "pliable" });
    const { members } = Roster.parse((await hall.ask("GET", "/api/roster")).body);
    expect(members).toMatchObject([{ name: "pliable", status: "connected", toolCount: 4, error: null }]);
    expect(members[0]?.tools.every(({ accepted }) => accepted)).toBe(true);
    expect(members[0]?.steps.map(({ name, state }) => [name, state])).toEqual([
      ["spawned", "done"],
      ["handshake", "done"],
      ["tools", "done"],
    ]);
    const written = JSON.parse(await readFile(join(hall.home, "guild-members/pliable/guild-member.json"), "utf8")) as unknown;
    expect(written).toMatchObject({ name: "pliable", version: "1.0.0", transport: "stdio", mcp: { command: "node" } });
  });

  it("calls a tool and keeps the call, which can be saved, listed and forgotten (REQ-GH1-8, REQ-GH1-27, REQ-GH1-29)", async () => {
    const hall = shared;
    const call = { member: "pliable", tool: "echo", input: { text: "hello" } };

    const answer = await hall.ask("POST", "/api/tools/invoke", call);
    const saved = await hall.ask("POST", "/api/tools/calls", { ...call, name: "A greeting" });

    expect(ToolAnswer.parse(answer.body)).toMatchObject({ content: [{ type: "text", text: "You said: hello" }], isError: false });
    expect(saved.status).toBe(201);
    const list = async (query: string) => ToolCallList.parse((await hall.ask("GET", `/api/tools/calls?${query}`)).body).calls;
    await expect.poll(() => list("saved=false")).toMatchObject([{ ...call, name: null, outcome: { summary: "You said: hello" } }]);
    expect(await list("saved=true")).toEqual([ToolCall.parse(saved.body)]);
    const forgotten = await hall.ask("DELETE", `/api/tools/calls/${ToolCall.parse(saved.body).id}`);
    expect(forgotten.status).toBe(204);
    expect(await list("saved=true")).toEqual([]);
  });

  it.each([
    ["/api/roster", { command: "node", confirmed: true }, '"name" is missing.', [{ path: "name", message: "is missing" }]],
    [
      "/api/roster",
      { name: "x", comand: "node", command: "node", confirmed: true },
      'unknown key "comand"; did you mean "command"?',
      [{ path: "comand", message: 'unknown key "comand"; did you mean "command"?' }],
    ],
    [
      "/api/tools/invoke",
      { member: "x", tool: "y", input: [] },
      '"input" must be an object.',
      [{ path: "input", message: "must be an object" }],
    ],
    ["/api/tools/invoke", { member: 5, tool: "y" }, '"member" must be text.', [{ path: "member", message: "must be text" }]],
    ["/api/tools/invoke", [], "the document must be an object.", [{ path: "", message: "must be an object" }]],
  ])("says of a bad request to %s with %j what is wrong, in words", async (path, body, sentence, issues) => {
    const hall = shared;

    const answer = await hall.ask("POST", path, body);

    expect(Problem.parse(answer.body)).toMatchObject({ detail: `The body of this request is not right: ${sentence}`, issues });
  });

  it("refuses a field that would be lost on the way", async () => {
    const hall = shared;
    const input: unknown = JSON.parse('{"__proto__":{"a":1}}');

    const { status, body } = await hall.ask("POST", "/api/tools/invoke", { member: "x", tool: "y", input });

    expect(status).toBe(400);
    expect(Problem.parse(body).detail).toContain('"__proto__"');
  });

  it("restarts a member, and has what it wrote to stderr over both lives", async () => {
    const hall = await withMember();
    const before = Member.parse((await hall.ask("GET", "/api/roster/pliable")).body);

    const restarted = await hall.ask("POST", "/api/roster/pliable/restart");
    await untilStatus(hall, "pliable", "connected");

    expect(Member.parse(restarted.body).status).toBe("disconnected");
    const after = Member.parse((await hall.ask("GET", "/api/roster/pliable")).body);
    expect(after.startedAt).not.toBe(before.startedAt);
    const { text, truncated } = MemberLogs.parse((await hall.ask("GET", "/api/roster/pliable/logs")).body);
    expect(text.match(/^--- started .* ---$/gm)).toHaveLength(2);
    expect(truncated).toBe(false);
  });

  it("shows a changed tool and withholds it until a person accepts exactly that (SEC-12)", async () => {
    const hall = await withMember();
    await hall.ask("POST", "/api/tools/invoke", { member: "pliable", tool: "change", input: {} });
    const echo = async () => Member.parse((await hall.ask("GET", "/api/roster/pliable")).body).tools.find(({ name }) => name === "echo");
    await expect
      .poll(echo)
      .toMatchObject({ accepted: false, change: { kind: "changed", before: { description: "Says what it is told." } } });
    const hash = (await echo())?.hash ?? "";

    const stale = await hall.ask("POST", "/api/roster/pliable/accept", { tools: [{ name: "echo", hash: "sha256:another" }] });
    const byHand = await hall.ask("POST", "/api/tools/invoke", { member: "pliable", tool: "echo", input: { text: "x" } });
    const accepted = await hall.ask("POST", "/api/roster/pliable/accept", { tools: [{ name: "echo", hash }] });

    expect([stale.status, byHand.status, accepted.status]).toEqual([409, 200, 200]);
    expect(await echo()).toMatchObject({ accepted: true, change: null });
  });

  it("removes a member and keeps its folder elsewhere", async () => {
    const hall = await withMember();

    const removed = await hall.ask("DELETE", "/api/roster/pliable");

    expect(removed.status).toBe(200);
    expect((await hall.ask("GET", "/api/roster/pliable")).status).toBe(404);
    expect(existsSync(join(hall.home, "guild-members/pliable"))).toBe(false);
    const kept = await readdir(join(hall.home, "removed-members"), { recursive: true });
    expect(kept.some((path) => path.endsWith("guild-member.json"))).toBe(true);
  });

  it("refuses a session with a member nobody has, and lists sessions by member", async () => {
    const hall = shared;

    const refused = await hall.ask("POST", "/api/sessions", { name: "x", members: ["pliabel"] });
    const made = await hall.ask("POST", "/api/sessions", { name: "With", members: ["pliable", "pliable"] });
    await hall.ask("POST", "/api/sessions", { name: "Without pliable" });

    expect(refused.status).toBe(400);
    expect(Problem.parse(refused.body)).toMatchObject({ code: "bad_request", issues: [{ path: "members.0" }] });
    expect(Problem.parse(refused.body).detail).toContain('did you mean "pliable"?');
    expect(Session.parse(made.body).members).toEqual(["pliable"]);
    const { sessions } = SessionList.parse((await hall.ask("GET", "/api/sessions?member=pliable")).body);
    expect(sessions.map(({ name }) => name)).toEqual(["With"]);
    expect(SessionList.parse((await hall.ask("GET", "/api/sessions?member=pli")).body).sessions).toEqual([]);
  });

  it.each([
    ["a name that is none", "GET", "/api/roster/..%2Fetc", undefined, 400, "invalid_id", "member"],
    ["a member nobody has", "GET", "/api/roster/nobody", undefined, 404, "not_found", "nobody"],
    ["a restart of nobody", "POST", "/api/roster/nobody/restart", undefined, 404, "not_found", "nobody"],
    ["a command nobody confirmed", "POST", "/api/roster", { name: "x", command: "node" }, 400, "bad_request", "confirmed"],
    ["a command that is a line", "POST", "/api/roster", { name: "x", args: "a b", confirmed: true }, 400, "bad_request", "args"],
    ["a call to nobody", "POST", "/api/tools/invoke", { member: "nobody", tool: "x" }, 404, "not_found", "nobody"],
    ["a call that is gone", "DELETE", "/api/tools/calls/call_01jaaaaaaaaaaaaaaaaaaaaaaa", undefined, 404, "not_found", "call_01ja"],
    ["a call with a wrong id", "DELETE", "/api/tools/calls/1", undefined, 400, "invalid_id", "id"],
  ])("answers %s with a problem that names it", async (_what, method, path, body, status, code, named) => {
    const { ask } = shared;

    const answer = await ask(method, path, body);

    expect(answer.status).toBe(status);
    expect(Problem.parse(answer.body)).toMatchObject({ status, code });
    expect(Problem.parse(answer.body).detail).toContain(named);
  });

  it("says of a member that cannot be started why, and refuses its tools with that", async () => {
    const hall = shared;
    await hall.ask("POST", "/api/roster", { name: "absent", command: "no-such-program-anywhere", confirmed: true });

    await untilStatus(hall, "absent", "error");
    const call = await hall.ask("POST", "/api/tools/invoke", { member: "absent", tool: "x" });

    expect(call.status).toBe(409);
    expect(Problem.parse(call.body)).toMatchObject({ code: "member_unavailable" });
    expect(Problem.parse(call.body).detail).toContain("no-such-program-anywhere");
  });

  it("checks the input before the member sees it, and says what is wrong at which field", async () => {
    const hall = shared;

    const refused = await hall.ask("POST", "/api/tools/invoke", { member: "pliable", tool: "echo", input: { text: 7 } });

    expect(refused.status).toBe(400);
    expect(Problem.parse(refused.body).issues).toMatchObject([{ path: "text" }]);
  });
});

async function withMember(): Promise<TestHall> {
  const hall = await composeTestHall();
  await addPliable(hall);
  return hall;
}

async function addPliable(hall: TestHall): Promise<void> {
  await hall.ask("POST", "/api/roster", { name: "pliable", ...pliableMember().mcp, confirmed: true });
  const isConnected = async () => (await hall.client.roster.get("pliable")).status === "connected";
  await vi.waitUntil(isConnected, { timeout: 30_000, interval: 50 });
}

async function untilStatus(hall: TestHall, name: string, status: Member["status"]): Promise<void> {
  const statusNow = async () => Member.parse((await hall.ask("GET", `/api/roster/${name}`)).body).status;
  await expect.poll(statusNow, { timeout: 15_000 }).toBe(status);
}
