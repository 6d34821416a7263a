import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { rawRequest } from "../raw-request.ts";
import type { HallProcess } from "../running-hall.ts";
import { startSharedHall } from "../running-hall.ts";

let hall: HallProcess;

beforeAll(async () => {
  hall = await startSharedHall({ bundled: false, config: "streams:\n  max: 2\n" });
});

describe("a hall on loopback", () => {
  it("listens on loopback only (SEC-1)", async () => {
    const { networkInterfaces } = await import("node:os");
    const outside = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4");
    const port = Number(new URL(hall.url).port);

    // A machine with no other address has nothing to be reached at.
    const reached = outside === undefined ? "refused" : await canConnect(outside.address, port);

    expect(reached).toBe("refused");
  });

  it.each(["/a/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/sessions/..%2f..%2fetc", "/_next/static/..%5c..%5cx", "/%00", "/%"])(
    "refuses the address %s before anything looks at it (SEC-7)",
    async (path) => {
      const answer = await rawRequest(hall.url, { path });

      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "bad_request", status: 400 });
    },
  );

  it.each([
    "ses_short",
    "SES_01JCQZ8X8B6M4T9V3K2N5P7R0W",
    "ses_01jcqz8x8b6m4t9v3k2n5p7r0w%20",
    "msg_01jcqz8x8b6m4t9v3k2n5p7r0w",
    "ses_01jcqz8x8b6m4t9v3k2n5p7rＯw",
  ])("refuses %s as an id before it becomes a path (SEC-7)", async (id) => {
    const answer = await rawRequest(hall.url, { path: `/api/sessions/${encodeURI(id)}` });

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "invalid_id" });
  });

  it.each([
    ["TRACE", "/api/health"],
    ["PROPFIND", "/api/health"],
    ["PROPFIND", "/"],
    ["POST", "/"],
    ["DELETE", "/settings"],
  ])("refuses %s %s in words, because nothing there takes it", async (method, path) => {
    const answer = await rawRequest(hall.url, { method, path });

    expect(answer.status).toBe(405);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "method_not_allowed" });
  });

  it("sends the policy that keeps foreign scripts and frames out, with a new nonce each time (SEC-6)", async () => {
    const [first, second] = [await rawRequest(hall.url), await rawRequest(hall.url)];

    const policy = String(first.headers["content-security-policy"]);
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-eval");
    expect(first.headers["x-content-type-options"]).toBe("nosniff");
    expect(second.headers["content-security-policy"]).not.toBe(policy);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const scripts = first.body.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  });

  it("does not let a client choose the nonce (SEC-6)", async () => {
    const { headers, body } = await rawRequest(hall.url, { headers: { "content-security-policy": "script-src 'nonce-mine'" } });

    expect(headers["content-security-policy"]).not.toContain("mine");
    expect(body).not.toContain('nonce="mine"');
  });

  it("refuses a body over 1 MiB, with and without a length (SEC-15)", async () => {
    const body = JSON.stringify({ name: "x".repeat(1024 * 1024) });
    const headers = { "content-type": "application/json" };

    const announced = await rawRequest(hall.url, {
      method: "POST",
      path: "/api/sessions",
      headers: { ...headers, "content-length": String(body.length) },
      body,
    });
    const chunked = await rawRequest(hall.url, {
      method: "POST",
      path: "/api/sessions",
      headers: { ...headers, "transfer-encoding": "chunked" },
      body,
    });

    expect([announced.status, chunked.status]).toEqual([413, 413]);
  });

  it("opens no more streams than it is allowed to, and says so (SEC-15)", async () => {
    const held = [openStream(hall.url), openStream(hall.url)];
    for (const stream of held) await stream.open;

    const third = await rawRequest(hall.url, { path: "/api/events" });

    expect(third.status).toBe(429);
    expect(JSON.parse(third.body)).toMatchObject({ code: "too_many_streams" });
    held[0]?.leave();
    await expect.poll(async () => (await openStream(hall.url).open).status).toBe(200);
  });
});

describe("a hall with a token", () => {
  let closed: HallProcess;
  beforeAll(async () => {
    closed = await startSharedHall({ bundled: false, env: { GUILD_HALL_TOKEN: "a-long-enough-token" } });
  });

  it("lets nobody in without it: pages, scripts, API and streams (SEC-5)", async () => {
    for (const path of ["/", "/settings", "/api/health", "/api/sessions", "/api/events", "/_next/static/x.js"]) {
      expect({ path, status: (await rawRequest(closed.url, { path })).status }).toEqual({ path, status: 401 });
    }
    const page = await rawRequest(closed.url, { headers: { accept: "text/html" } });
    expect(page.body).toContain("asks for its token");
    expect((await closed.client.health()).status).toBe("ok");
  });

  it("gives a browser its cookie for the token, and the token is in no log (SEC-5, SEC-9)", async () => {
    const login = (token: string) =>
      rawRequest(closed.url, {
        method: "POST",
        path: "/api/login",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });

    const wrong = await login("not-the-token");
    const right = await login("a-long-enough-token");

    expect(wrong.status).toBe(401);
    expect(right.status).toBe(204);
    const cookie = right.headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
    expect((await rawRequest(closed.url, { path: "/api/health", headers: { cookie } })).status).toBe(200);
    await closed.end("SIGTERM");
    const { readFile } = await import("node:fs/promises");
    expect(await readFile(`${closed.home}/logs/hall.log`, "utf8")).not.toContain("a-long-enough-token");
  });
});

function canConnect(host: string, port: number): Promise<"connected" | "refused"> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 }, () => {
      socket.destroy();
      resolve("connected");
    });
    socket.on("error", () => resolve("refused"));
    socket.on("timeout", () => {
      socket.destroy();
      resolve("refused");
    });
  });
}

function openStream(url: string) {
  const leaving = new AbortController();
  return { open: fetch(`${url}/api/events`, { signal: leaving.signal }), leave: () => leaving.abort() };
}
