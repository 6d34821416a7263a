import { connect } from "node:net";
import type { Socket } from "node:net";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { personKeyOf } from "../person.ts";
import { rawRequest } from "../raw-request.ts";
import type { Hall } from "../running-hall.ts";
import { filled, pagesWith, readOperations } from "./addresses.ts";
import { exchange, requestText, statusesIn } from "./raw-socket.ts";

const browserThatFollowsALink = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const json = { "content-type": "application/json" };
/** What is asked: bytes that can be read in two ways, too many of them, and values that are meant to be something else. */
export function attackWire(running: () => Hall, mostStreams: number): void {
  let hall: Hall;
  let host: string;

  beforeAll(async () => {
    hall = running();
    ({ host } = new URL(hall.url));
  });

  describe("a request whose bytes can be read in two ways", () => {
    const chunked = "Transfer-Encoding: chunked";

    it.each([
      ["a length and chunks", ["Content-Length: 6", chunked], "0\r\n\r\n"],
      ["chunks and a length", [chunked, "Content-Length: 6"], "0\r\n\r\n"],
      ["two lengths", ["Content-Length: 0", "Content-Length: 60"], ""],
      ["a list of lengths", ["Content-Length: 0, 60"], ""],
      ["a signed length", ["Content-Length: +0"], ""],
      ["a negative length", ["Content-Length: -1"], ""],
      ["an unknown coding", ["Transfer-Encoding: xchunked"], "0\r\n\r\n"],
      ["chunks that are not the last coding", ["Transfer-Encoding: chunked, identity"], "0\r\n\r\n"],
      ["chunks behind a space before the colon", ["Transfer-Encoding : chunked"], "0\r\n\r\n"],
      ["chunks on a folded line", ["X: x", " Transfer-Encoding: chunked"], "0\r\n\r\n"],
      ["a chunk of a strange size", [chunked], "0x0\r\n\r\n"],
      ["a chunk of too large a size", [chunked], "10000000000000000\r\n\r\n"],
      ["a chunk that ends too late", [chunked], "1\r\nxx\r\n0\r\n\r\n"],
      ["a NUL in a header", ["X: a\0b"], ""],
      ["a bare line feed", ["X: a\nTransfer-Encoding: chunked"], "0\r\n\r\n"],
      ["a bare carriage return", ["X: a\rTransfer-Encoding: chunked"], "0\r\n\r\n"],
    ])("smuggles no second one: %s (SEC-2, SEC-3)", async (_what, headers, body) => {
      const smuggled = `GET /api/sessions HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const first = [
        "POST /api/sessions HTTP/1.1",
        `Host: ${host}`,
        "Content-Type: application/json",
        ...headers,
        "",
        `${body}${smuggled}`,
      ];

      const said = await exchange(hall.url, first.join("\r\n"));

      expect(statusesIn(said).filter((status) => status < 400)).toEqual([]);
      expect(said).not.toContain("nextCursor");
    });

    it("is answered where it is plain, so the refusals above are not for want of a hall (SEC-2)", async () => {
      const plain = ["GET /api/health HTTP/1.1", `Host: ${host}`, "", requestText("GET /api/health HTTP/1.1", [`Host: ${host}`])];

      expect(statusesIn(await exchange(hall.url, plain.join("\r\n")))).toEqual([200, 200]);
    });
  });

  describe("a request that is too much", () => {
    it("is refused: headers without end, an address without end (SEC-15)", async () => {
      const long = "x".repeat(64 * 1024);

      expect(statusesIn(await exchange(hall.url, requestText("GET /api/health HTTP/1.1", [`Host: ${host}`, `X: ${long}`])))).toEqual([431]);
      expect(statusesIn(await exchange(hall.url, requestText(`GET /${long} HTTP/1.1`, [`Host: ${host}`])))).toEqual([431]);
    });

    it("is refused with a body over 1 MiB, with and without a length, and with a message that is too long (SEC-15)", async () => {
      const body = JSON.stringify({ name: "x".repeat(1024 * 1024) });
      const { id } = await hall.client.sessions.create({ name: "Long" });
      const send = async (headers: Record<string, string>) =>
        (await rawRequest(hall.url, { method: "POST", path: "/api/sessions", headers: { ...json, ...headers }, body })).status;

      expect(await send({ "content-length": String(body.length) })).toBe(413);
      expect(await send({ "transfer-encoding": "chunked" })).toBe(413);
      await expect(hall.client.sessions.send(id, "x".repeat(200_001))).rejects.toMatchObject({ code: "bad_request" });
    });

    it("is refused where it is nested without end, and costs nobody else anything (SEC-15)", async () => {
      const body = `{"member":"absent","tool":"x","input":{"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;

      const { status } = await rawRequest(hall.url, { method: "POST", path: "/api/tools/invoke", headers: json, body });

      expect(status).toBeGreaterThanOrEqual(400);
      expect((await hall.client.health()).status).toBe("ok");
    });

    it("holds nobody up while it never ends: a hundred that stop in the middle of their headers or bodies (SEC-15)", async () => {
      const halves = [
        `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nX: `,
        `POST /api/sessions HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      ];
      await Promise.all(Array.from({ length: 100 }, (_, index) => sendHalf(hall.url, halves[index % 2] ?? "")));

      expect((await hall.client.health()).status).toBe("ok");
      expect((await hall.client.sessions.create({ name: "In time" })).name).toBe("In time");
    });

    it("keeps no place among the streams by asking for their headers alone (SEC-15)", async () => {
      const { id } = await hall.client.sessions.create({ name: "Headers" });
      const { messageId } = await hall.client.sessions.send(id, "Hello");
      const streams = (await readOperations(hall.url)).filter(({ isStream, template }) => isStream && !template.includes("{jobId}"));
      expect(streams.length).toBeGreaterThanOrEqual(2);

      for (const { template } of streams) {
        const path = filled(template, { id: template.startsWith("/api/runs/") ? messageId : id });
        for (let times = 0; times <= mostStreams; times += 1)
          expect([path, (await rawRequest(hall.url, { method: "HEAD", path })).status]).toEqual([path, 200]);
      }
      const { open, leave } = openStream(hall.url);

      expect((await open).status).toBe(200);
      leave();
    });

    it("opens no more streams than there are places, and gets one when somebody leaves (SEC-15)", async () => {
      const held = Array.from({ length: mostStreams }, () => openStream(hall.url));
      for (const stream of held) await stream.open;

      const refused = await rawRequest(hall.url, { path: "/api/events" });

      expect(refused.status).toBe(429);
      expect(JSON.parse(refused.body)).toMatchObject({ code: "too_many_streams" });
      held[0]?.leave();
      await expect.poll(async () => (await openStream(hall.url).open).status).toBe(200);
    });
  });

  describe("a value that is meant to be taken for something else", () => {
    it.each([
      "/a/../../etc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/api/sessions/..%2f..%2fetc",
      "/_next/static/..%5c..%5cx",
      "/%00",
      "/%",
      "/api/%0d%0aset-cookie:%20x=1",
    ])("is refused as the address %s before anything looks at it (SEC-7)", async (path) => {
      const answer = await rawRequest(hall.url, { path });

      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "bad_request", status: 400 });
    });

    it("is refused as any id of any route before it becomes a path (SEC-7, SEC-8)", async () => {
      const operations = (await readOperations(hall.url)).filter(({ template }) => template.includes("{"));
      const lookalike = encodeURIComponent("ses_01jcqz8x8b6m4t9v3k2n5p7rＯw");
      const hostile = ["..%2f..%2fetc", "a%00b", "%EF%BC%8E%EF%BC%8E%EF%BC%8Fetc", "--help", "__proto__", "x".repeat(5_000), lookalike];
      expect(operations.length).toBeGreaterThan(25);

      for (const { method, template, takes } of operations) {
        const [, parameter = ""] = /\{(\w+)\}(?!.*\{)/.exec(template) ?? [];
        for (const value of hostile) {
          const path = filled(template, { [parameter]: value });
          const asPerson = { authorization: `Bearer ${personKeyOf(hall.home)}` };
          const headers: Record<string, string> = { ...asPerson, ...(takes === null ? {} : { "content-type": takes }) };
          const { status, body } = await rawRequest(hall.url, { method, path, headers, ...(takes === null ? {} : { body: "{}" }) });

          // Only a file may have such a name.
          const isRefused = status === 400 || (parameter === "path" && status === 404);
          expect({ method, template, value, status, body, isRefused }).toMatchObject({ isRefused: true });
        }
      }
    });

    it.each(["__proto__", "--help", "%F0%9F%98%80"])("is nothing as the name of what a page shows: %s (SEC-7)", async (value) => {
      const plain = new Set(await pagesWith(() => ""));
      const named = (await pagesWith(() => value)).filter((path) => !plain.has(path));
      expect(named.length).toBeGreaterThanOrEqual(4);

      for (const path of named) expect([path, (await rawRequest(hall.url, { path })).status]).toEqual([path, 404]);
    });

    it.each(["TRACE", "PROPFIND", "QUERY"])("is refused as the method %s, on pages and in the API (SEC-4)", async (method) => {
      for (const path of ["/", "/api/health"]) {
        const answer = await rawRequest(hall.url, { method, path });

        expect([path, answer.status]).toEqual([path, 405]);
        expect(JSON.parse(answer.body)).toMatchObject({ code: "method_not_allowed" });
      }
    });

    it.each([["POST"], ["PUT"], ["DELETE"]])("is refused as a %s to a page, where nothing takes one (SEC-4)", async (method) => {
      // What a server action of Next would be called by.
      const headers = { "next-action": "x".repeat(40), "content-type": "text/plain" };

      expect((await rawRequest(hall.url, { method, path: "/settings", headers, body: "[]" })).status).toBe(405);
    });

    it("pollutes no prototype (SEC-7)", async () => {
      const bodies = [
        '{"name":"x","__proto__":{"polluted":true}}',
        '{"name":"x","limits":{"__proto__":{"maxTurns":1}}}',
        '{"name":"x","constructor":{"prototype":{"polluted":true}}}',
      ];
      for (const body of bodies) {
        const { status } = await rawRequest(hall.url, { method: "POST", path: "/api/sessions", headers: json, body });

        expect({ body, status }).toEqual({ body, status: 400 });
      }
      const session = await hall.client.sessions.create({ name: "Clean" });
      expect(session.limits).toEqual({});
    });

    it("leads nobody elsewhere, by whatever address the hall is asked (SEC-2)", async () => {
      for (const path of [
        "//evil.example",
        "//evil.example/",
        "/sessions//evil.example/",
        "/settings/?next=//evil.example",
        "/.evil.example",
      ]) {
        const { headers } = await rawRequest(hall.url, { path });

        expect({ path, location: headers.location ?? "/" }).toEqual({ path, location: expect.stringMatching(/^\/(?!\/)/) as string });
      }
    });

    it("is still there after any address that is no URL (SEC-15)", async () => {
      for (const path of ["//", "///", "//:80/", "//a:99999/", "//[/", "//@", "/open?code=%", "/open?%=%", "/open??", "/%5B", "http://["]) {
        const { status } = await rawRequest(hall.url, { path, headers: browserThatFollowsALink });

        expect({ path, isAnswered: status < 500 }).toEqual({ path, isAnswered: true });
      }
      expect((await rawRequest(hall.url, { path: "/api/health" })).status).toBe(200);
    });

    it("is a page or none, and no mistake of the hall, for headers of Next that mean nothing (SEC-15)", async () => {
      for (const path of ["/", "/sessions/x", "/nope"])
        for (const state of ["x", "%", "%5B%22%22%5D"]) {
          const { status } = await rawRequest(hall.url, { path, headers: { rsc: "1", "next-router-state-tree": state } });

          expect({ path, state, isAnswered: status < 500 }).toEqual({ path, state, isAnswered: true });
        }
    });

    it("has nothing fetched for it: there is no door to other servers (SEC-6)", async () => {
      for (const path of [
        `/_next/image?url=${encodeURIComponent("http://evil.example/x.png")}&w=64&q=75`,
        "/_next/image?url=%2Fapi%2Fhealth&w=64&q=75",
      ])
        expect((await rawRequest(hall.url, { path })).status).toBeGreaterThanOrEqual(400);
    });
  });

  describe("a page of the hall", () => {
    it("comes with the policy that keeps foreign scripts and frames out, with a new nonce each time (SEC-6)", async () => {
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
  });
}

/** Resolves when the half was sent. The connection stays until the test is over. */
async function sendHalf(url: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = await new Promise<Socket>((resolve) => {
    const opened = connect(Number(port), hostname, () => resolve(opened));
  });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.write(bytes, resolve));
}

function openStream(url: string) {
  const leaving = new AbortController();
  return { open: fetch(`${url}/api/events`, { signal: leaving.signal }), leave: () => leaving.abort() };
}
