import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { Problem } from "../../src/schema/problem.ts";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { personKeyOf } from "../person.ts";
import { rawRequest } from "../raw-request.ts";
import type { Hall } from "../running-hall.ts";
import { startSharedHall } from "../running-hall.ts";
import { patience, putMember, statusOf } from "../server/members-by-hand.ts";
import { aSession, filled, readOperations } from "./addresses.ts";
import type { Operation } from "./addresses.ts";
import { askingMember } from "./asking-member.fixture.ts";

/** Routes that widen power or decide for the person. */
const forThePerson = [
  "POST /api/entry-codes",
  "POST /api/roster",
  "DELETE /api/roster/{member}",
  "POST /api/roster/{member}/restart",
  "POST /api/roster/{member}/accept",
  "PUT /api/spending/limit",
  "DELETE /api/spending/limit",
  "PATCH /api/runs",
  "POST /api/runs/unpause",
  "POST /api/runs/{id}/limits",
  "POST /api/approvals/{id}/approve",
  "POST /api/approvals/{id}/reject",
];

/** Routes that need the key only to raise a limit: the body decides. */
const forThePersonToRaise = ["POST /api/sessions", "PATCH /api/sessions/{id}", "POST /api/workers/{worker}/jobs"];

/** Routes that change something and are open to all who reach the hall, within its limits. */
const forEverybody = [
  "POST /api/login",
  "POST /api/logout",
  "POST /api/model/find",
  "POST /api/tools/invoke",
  "POST /api/tools/calls",
  "DELETE /api/tools/calls/{id}",
  "DELETE /api/sessions/{id}",
  "POST /api/sessions/{id}/messages",
  "POST /api/sessions/{id}/stop",
  "POST /api/sessions/{id}/complete",
  "POST /api/sessions/{id}/renew",
  "POST /api/sessions/{id}/queue/send",
  "DELETE /api/sessions/{id}/queue/{messageId}",
  "PUT /api/sessions/{id}/context",
  "POST /api/sessions/{id}/artifacts",
  "POST /api/runs/stop",
  "POST /api/runs/pause",
  "POST /api/runs/{id}/stop",
  "POST /api/runs/{id}/resume",
  "POST /api/runs/{id}/finish",
  "POST /api/runs/{id}/note",
  "POST /api/workers/{worker}/jobs/{jobId}/cancel",
  "POST /api/workers/{worker}/jobs/{jobId}/answer",
  "POST /api/workers/{worker}/jobs/{jobId}/dismiss",
  "POST /api/workers/{worker}/jobs/{jobId}/hide",
  "DELETE /api/workers/{worker}/jobs/{jobId}/hide",
  "DELETE /api/workers/{worker}/jobs/{jobId}",
];

const evil = JSON.stringify({ name: "evil", command: "touch", args: ["/tmp/evil"], confirmed: true });
const bodies: Record<string, string> = {
  "POST /api/roster": evil,
  "PUT /api/spending/limit": JSON.stringify({ perDayUsd: null, until: "always" }),
  "POST /api/runs/{id}/limits": JSON.stringify({ to: 1000 }),
  "POST /api/roster/{member}/accept": JSON.stringify({ tools: [{ name: "ask", hash: "x" }] }),
};

let hall: Hall;
let operations: Operation[];
let key: string;
let session: SessionId;

beforeAll(async () => {
  const model = await startScriptedModel({
    script(request) {
      const { step } = readConversation(request);
      if (step > 1) return { text: "I could not." };
      return {
        tools: [`${hall.url}/open?code=x`, `${hall.url}/api/roster`].map((url) => ({ name: "WebFetch", input: { url, prompt: "x" } })),
      };
    },
  });
  hall = await startSharedHall({
    bundled: false,
    waiting: false,
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-this-attack" },
    config: "agent:\n  webTools: true\n  maxBudgetUsd: 1\nlimits:\n  perDayUsd: 20\n",
  });
  await putMember(hall.home, "asking", askingMember);
  await vi.waitUntil(async () => (await statusOf(hall, "asking")) === "connected", patience);
  key = personKeyOf(hall.home);
  operations = await readOperations(hall.url);
  ({ id: session } = await hall.client.sessions.create({ name: "Attack", limits: { maxCostUsd: 1 } }));
  return () => model.close();
});

const named = ({ method, template }: Operation): string => `${method} ${template}`;

/** Everything the routes of the person can change. */
async function power(): Promise<unknown> {
  const { members } = await hall.client.roster.list();
  const { limit } = await hall.client.spending.get();
  const sessions = await hall.client.sessions.list();
  return {
    members: members.map(({ name, startedAt, tools }) => ({ name, startedAt, accepted: tools.map(({ accepted }) => accepted) })),
    limit,
    limits: sessions.sessions.map(({ limits }) => limits),
    folders: await readdir(join(hall.home, "guild-members")),
  };
}

/** The routes of the person with what would change something, on a member and a session that are there. */
const attempts = () => [
  ...operations
    .filter((each) => forThePerson.includes(named(each)))
    .map((each) => ({ method: each.method, path: filled(each.template, { member: "asking" }), body: bodies[named(each)] ?? "" })),
  { method: "POST", path: "/api/sessions", body: JSON.stringify({ name: "Rich", limits: { maxBudgetUsd: 1000 } }) },
  { method: "PATCH", path: `/api/sessions/${session}`, body: JSON.stringify({ limits: { maxCostUsd: 1000 } }) },
  { method: "PATCH", path: `/api/sessions/${session}`, body: JSON.stringify({ limits: { maxCostUsd: null } }) },
  ...[{ maxBudgetUsd: 1000 }, { maxTurns: 5000 }, { deep: [{ model: "dear" }] }].map((config) => ({
    method: "POST",
    path: "/api/workers/asking/jobs",
    body: JSON.stringify({ description: "Rich", task: "Spend.", config }),
  })),
];

const typeOf = (body: string): Record<string, string> => (body === "" ? {} : { "content-type": "application/json" });

describe("the person's key", () => {
  it("is asked for by a list of routes that leaves out no route which changes something (SEC-21)", () => {
    const changing = operations.filter(({ method }) => method !== "GET").map(named);

    expect([...forThePerson, ...forThePersonToRaise, ...forEverybody].toSorted()).toEqual(changing.toSorted());
  });

  it.each([
    ["nothing", {}],
    ["a wrong key", { authorization: `Bearer ${"x".repeat(43)}` }],
    ["an empty key", { authorization: "Bearer " }],
    ["the header that the hall sets for its pages", { "guild-hall-person": "true" }],
    ["a cookie of another hall", { cookie: "guild_hall=x; guild_hall_00000000=x" }],
  ])("keeps a program in a shell that sends %s from changing anything (SEC-21)", async (_what, headers) => {
    const before = await power();

    for (const { method, path, body } of attempts()) {
      const answer = await rawRequest(hall.url, { method, path, body, headers: { ...headers, ...typeOf(body) } });

      expect({ method, path, ...Problem.parse(JSON.parse(answer.body)) }).toMatchObject({
        method,
        path,
        status: 403,
        code: "person_required",
      });
    }
    expect(await power()).toEqual(before);
  });

  it("is asked for before anything else of the request is read (SEC-21)", async () => {
    for (const each of operations.filter((operation) => forThePerson.includes(named(operation)))) {
      const path = filled(each.template, { member: "NOT_A_NAME" });
      const answer = await rawRequest(hall.url, {
        method: each.method,
        path,
        body: "{",
        headers: { "content-type": "text/plain", "content-length": "1" },
      });

      expect({ path, status: answer.status }).toEqual({ path, status: 403 });
    }
  });

  it("keeps a member from changing anything from inside (SEC-21)", async () => {
    const before = await power();
    const ask = async (tool: string, input: object) => {
      const { content } = await hall.client.tools.invoke({ member: MemberName.parse("asking"), tool, input: { ...input } });
      return JSON.stringify(content);
    };

    for (const { method, path, body } of attempts())
      expect(await ask("ask", { method, url: hall.url + path, body })).toContain("person_required");

    expect(await ask("environment", {})).not.toContain(key);
    expect(await power()).toEqual(before);
  });

  it("keeps an agent's WebFetch from changing anything, and from the hall at all (SEC-21)", async () => {
    const before = await power();
    await hall.client.sessions.send(session, "Fetch them.");
    for await (const { event } of hall.client.sessions.events(session)) if (event.event === "done") break;
    const { messages } = await hall.client.sessions.get(session);

    const results = messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === "tool_result" ? [block] : [])));
    expect(results.map(({ isError }) => isError)).toEqual([true, true]);
    expect(JSON.stringify(messages)).not.toContain("asking");
    expect(await power()).toEqual(before);
  });

  it("opens what it is for, and a wrong one closes nothing that is open to all (SEC-21)", async () => {
    const { limit } = await hall.client.spending.get();
    const right = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const wrong = { authorization: `Bearer ${"x".repeat(43)}`, "content-type": "application/json" };
    const set = (headers: Record<string, string>) =>
      rawRequest(hall.url, {
        method: "PUT",
        path: "/api/spending/limit",
        headers,
        body: JSON.stringify({ perDayUsd: 21, until: "always" }),
      });
    const lower = await rawRequest(hall.url, {
      method: "PATCH",
      path: `/api/sessions/${session}`,
      headers: wrong,
      body: JSON.stringify({ limits: { maxCostUsd: 0.5 } }),
    });

    expect((await set(right)).status).toBe(200);
    expect(await hall.client.spending.get()).not.toMatchObject({ limit });
    expect(lower.status).toBe(200);
    expect((await rawRequest(hall.url, { path: "/api/sessions", headers: wrong })).status).toBe(200);
    await hall.client.spending.clearLimit();
  });

  it("comes to a browser through an address that works once, is not used up by a preview, and tells nothing of itself (SEC-21)", async () => {
    const { code } = await hall.client.entryCode();
    const enter = (method = "GET") => rawRequest(hall.url, { method, path: `/open?code=${code}` });

    const preview = await enter("HEAD");
    const first = await enter();
    const second = await enter();

    expect([preview.status, preview.headers["set-cookie"]]).toEqual([403, undefined]);
    expect([first.status, first.headers.location]).toEqual([303, "/"]);
    expect([second.status, second.headers["set-cookie"]]).toEqual([403, undefined]);
    expect(second.body).toContain("guild-hall open");
    const [cookie = "", ...flags] = first.headers["set-cookie"]?.[0]?.split("; ") ?? [];
    expect(flags).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Strict", "Path=/"]));
    expect(cookie).not.toContain(key);
    const again = await rawRequest(hall.url, { path: `/open?code=${aSession}`, headers: { cookie } });
    expect([again.status, again.headers.location]).toEqual([303, "/"]);
    const used = await rawRequest(hall.url, { method: "DELETE", path: "/api/spending/limit", headers: { cookie } });
    expect(used.status).toBe(200);
  });

  it("does not come to a page of another site, with the cookie or a code (SEC-3, SEC-21)", async () => {
    const { code } = await hall.client.entryCode();
    const headers = { origin: "http://evil.example", authorization: `Bearer ${key}` };

    expect((await rawRequest(hall.url, { method: "DELETE", path: "/api/spending/limit", headers })).status).toBe(403);
    expect((await rawRequest(hall.url, { path: `/open?code=${code}`, headers: { host: "evil.example" } })).status).toBe(421);
  });

  it("lies in a file of its owner, and nowhere else (SEC-9, SEC-16, SEC-21)", async () => {
    expect((await stat(join(hall.home, "person.key"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(hall.home, "person.key"), "utf8")).toMatch(/^[\w-]{43}\n$/);
    const entries = await readdir(hall.home, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && entry.name !== "person.key")
      .map((entry) => join(entry.parentPath, entry.name));
    const holding = await Promise.all(files.map(async (path) => ((await readFile(path)).includes(key) ? [path] : [])));

    expect(files.length).toBeGreaterThan(10);
    expect(holding.flat()).toEqual([]);
  });
});
