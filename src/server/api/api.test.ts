import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Health } from "../../schema/health.ts";
import { newSessionId } from "../../schema/ids.ts";
import { Problem } from "../../schema/problem.ts";
import { Session, SessionList } from "../../schema/session.ts";
import { composeTestHall, openTestHall } from "../composed-hall.testing.ts";
import type { TestHall } from "../composed-hall.testing.ts";

describe("the API", () => {
  /** For all who leave nothing in it. */
  let hall: TestHall;
  beforeAll(async () => {
    const { close, ...open } = await openTestHall();
    hall = open;
    return close;
  });

  it("says whether the hall serves and which model answers", async () => {
    const { ask } = hall;

    const { status, body } = await ask("GET", "/api/health");

    expect(status).toBe(200);
    expect(Health.parse(body)).toMatchObject({ status: "ok", version: "0.0.0-test", model: { backend: "demo" } });
  });

  it("creates, lists by page, reads and deletes sessions (REQ-GH1-27)", async () => {
    const { ask } = await composeTestHall();
    const made: string[] = [];
    for (const name of ["one", "two", "three"]) made.unshift(Session.parse((await ask("POST", "/api/sessions", { name })).body).id);

    const first = SessionList.parse((await ask("GET", "/api/sessions?limit=2")).body);
    const second = SessionList.parse((await ask("GET", `/api/sessions?limit=2&cursor=${first.nextCursor}`)).body);
    const read = await ask("GET", `/api/sessions/${made[0]}`);
    const removed = await ask("DELETE", `/api/sessions/${made[0]}`);

    expect([...first.sessions, ...second.sessions].map(({ id }) => id)).toEqual(made);
    expect(second.nextCursor).toBeNull();
    expect(read.body).toMatchObject({ session: { name: "three", status: "idle", messageCount: 0 }, messages: [], nextCursor: null });
    expect(removed.status).toBe(204);
    expect((await ask("GET", `/api/sessions/${made[0]}`)).status).toBe(404);
  });

  it.each([
    ["a name that is missing", "POST", "/api/sessions", {}, 400, "bad_request", "name"],
    ["a key it does not know", "POST", "/api/sessions", { name: "x", colour: "red" }, 400, "bad_request", "colour"],
    ["a limit out of bounds", "GET", "/api/sessions?limit=501", undefined, 400, "bad_request", "limit"],
    ["a status that is none", "GET", "/api/sessions?status=dreaming", undefined, 400, "bad_request", "status"],
    ["a cursor it never gave", "GET", "/api/sessions?cursor=nonsense", undefined, 400, "bad_request", "cursor"],
    ["an empty message", "POST", `/api/sessions/${newSessionId()}/messages`, { text: "  " }, 400, "bad_request", "text"],
    ["an id that is none", "GET", "/api/sessions/ses_1", undefined, 400, "invalid_id", "id"],
    ["a session that is not there", "POST", `/api/sessions/${newSessionId()}/messages`, { text: "x" }, 404, "not_found", "session"],
    ["stopping what is not there", "POST", `/api/sessions/${newSessionId()}/stop`, undefined, 404, "not_found", "session"],
    ["an address that is not there", "GET", "/api/nothing", undefined, 404, "not_found", "/api/nothing"],
    ["a method that is not taken", "PUT", "/api/sessions", {}, 405, "method_not_allowed", "GET, POST"],
  ])("answers %s with a problem that names it", async (_what, method, path, body, status, code, named) => {
    const { ask } = hall;

    const answer = await ask(method, path, body);

    const problem = Problem.parse(answer.body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(problem).toMatchObject({ status, code });
    expect(problem.detail).toContain(named);
  });

  it("refuses a body that is not JSON, and one that only looks like it", async () => {
    const { fetch } = hall;
    const send = (type: string, body: string) =>
      fetch(new Request("http://hall/api/sessions", { method: "POST", headers: { "content-type": type }, body }));

    expect((await send("text/plain", '{"name":"x"}')).status).toBe(415);
    expect((await send("application/json", '{"name":')).status).toBe(400);
    expect((await send("application/json; charset=utf-8", '{"name":"x"}')).status).toBe(201);
  });

  it("describes every address it has, with the shapes it answers", async () => {
    const { ask } = hall;

    const { body } = await ask("GET", "/api/openapi.json");

    const { openapi, paths } = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(body);
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths["/api/sessions/{id}"] ?? {})).toEqual(["get", "patch", "delete"]);
    const ids = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map((each) => z.object({ operationId: z.string() }).parse(each).operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("describes every shape that it names by what it is made of", async () => {
    const { ask } = hall;

    const { body } = await ask("GET", "/api/openapi.json");

    const Shape = z.looseObject({ properties: z.looseObject({}), oneOf: z.array(z.unknown()), anyOf: z.array(z.unknown()) }).partial();
    const { components } = z.object({ components: z.object({ schemas: z.record(z.string(), Shape) }) }).parse(body);
    const empty = Object.entries(components.schemas).filter(
      ([, { properties, oneOf, anyOf }]) => Object.keys(properties ?? oneOf ?? anyOf ?? {}).length === 0,
    );
    const referred = [...JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference);
    const absent = referred.filter((reference) => !(reference.replace("#/components/schemas/", "") in components.schemas));
    expect(components.schemas["Session"]).toMatchObject({ properties: { usage: { $ref: "#/components/schemas/SessionUsage" } } });
    expect(empty.map(([name]) => name)).toEqual([]);
    expect(absent).toEqual([]);
  });

  it("has places for the streams of two hundred browsers with three each, and frees them when they leave (SEC-15)", async () => {
    const { fetch } = hall;
    const open = async (count: number) => Promise.all(Array.from({ length: count }, () => fetch(new Request("http://hall/api/events"))));
    const statuses = (answers: Response[]) => new Set(answers.map(({ status }) => status));

    const streams = await open(3 * 200);
    const full = await open(1024 - streams.length);
    const [refused] = await open(1);
    await Promise.all([...streams, ...full].map(async ({ body }) => body?.cancel()));
    const again = await open(1024);

    expect([statuses(streams), statuses(full), refused?.status, statuses(again)]).toEqual([
      new Set([200]),
      new Set([200]),
      429,
      new Set([200]),
    ]);
    await Promise.all(again.map(async ({ body }) => body?.cancel()));
  });
});
