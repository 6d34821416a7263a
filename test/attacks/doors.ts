import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { personKeyOf } from "../person.ts";
import { rawRequest } from "../raw-request.ts";
import type { Hall } from "../running-hall.ts";
import { aJob, aSession, readOperations, readPages } from "./addresses.ts";
import type { Operation } from "./addresses.ts";
import { exchange, requestText, statusesIn } from "./raw-socket.ts";

/** What a browser sends along for a page of another site, however that page asks. */
const foreign: Record<string, string>[] = [
  { origin: "http://evil.example" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** Who may ask: names, origins, addresses, methods and types of bodies. */
export function attackDoors(running: () => Hall): void {
  let hall: Hall;
  let host: string;
  let port: string;
  let operations: Operation[];
  let addresses: string[];

  beforeAll(async () => {
    hall = running();
    ({ host, port } = new URL(hall.url));
    asPerson = { authorization: `Bearer ${personKeyOf(hall.home)}` };
    operations = await readOperations(hall.url);
    addresses = [...new Set([...operations.map(({ path }) => path), ...(await readPages(hall.url))])];
  });

  // With the key, which is asked for before the body is looked at.
  let asPerson: Record<string, string>;

  describe("a page of another site", () => {
    it("has every address of the hall to try: the API by its own description, pages and scripts by the build (SEC-4)", () => {
      expect(operations.length).toBeGreaterThanOrEqual(40);
      expect(addresses).toEqual(
        expect.arrayContaining(["/", "/settings", `/sessions/${aSession}`, "/api/events", `/api/workers/absent/jobs/${aJob}/events`]),
      );
      expect(addresses.some((path) => path.endsWith(".js"))).toBe(true);
      expect(operations.filter(({ isStream }) => isStream).length).toBeGreaterThanOrEqual(3);
      expect(addresses.filter((path) => path.includes("{"))).toEqual([]);
    });

    it("gets no answer under its own name after rebinding it, whatever the address and the method (SEC-2, SEC-4)", async () => {
      for (const path of addresses) {
        for (const method of methods) {
          const { status } = await rawRequest(hall.url, { method, path, headers: { host: `evil.example:${port}` } });

          expect({ method, path, status }).toEqual({ method, path, status: 421 });
        }
      }
    });

    it("changes nothing and opens no stream (SEC-3, SEC-4)", async () => {
      const everywhere = addresses.flatMap((path) => ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"].map((method) => ({ method, path })));
      const changes = operations.filter(({ method }) => method !== "GET");
      const streams = operations.filter(({ isStream }) => isStream).flatMap((each) => [each, { ...each, method: "HEAD" }]);
      const attempts = [
        ...everywhere.map((request) => ({ ...request, headers: { origin: "http://evil.example" } })),
        ...[...changes, ...streams].flatMap(({ method, path }) => foreign.map((headers) => ({ method, path, headers }))),
      ];
      for (const attempt of attempts) {
        const { status } = await rawRequest(hall.url, attempt);

        expect({ ...attempt, status }).toEqual({ ...attempt, status: 403 });
      }
    });

    it("reads nothing, not even blindly, and opens a page only by a link (SEC-3, SEC-4)", async () => {
      const link = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      const kinds: Record<string, string>[] = [
        {},
        { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty" },
        { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "document" },
        { "sec-fetch-mode": "cors", "sec-fetch-dest": "script" },
        { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
      ];
      for (const path of addresses) {
        const isOfApi = path.startsWith("/api/");
        for (const site of ["cross-site", "same-site"]) {
          for (const kind of [...kinds, ...(isOfApi ? [link] : [])]) {
            for (const method of ["GET", "HEAD"]) {
              const headers = { "sec-fetch-site": site, ...kind };
              const { status } = await rawRequest(hall.url, { method, path, headers });

              expect({ method, path, headers, status }).toEqual({ method, path, headers, status: 403 });
            }
          }
        }
      }

      const opened = await rawRequest(hall.url, { path: "/", headers: { "sec-fetch-site": "cross-site", ...link } });
      expect(opened.status).toBe(200);
      for (const path of ["//api/sessions", "/API/sessions", "/api;x", "/api?q=a"])
        expect([path, (await rawRequest(hall.url, { path, headers: { "sec-fetch-site": "cross-site", ...link } })).status]).toEqual([
          path,
          403,
        ]);
    });

    it.each([
      "/api/%65vents",
      "/%61pi/events",
      "/api/events%2f",
      "/api/event%73?x",
      "/api//events",
      "//api/events",
      "/api/events/",
      "/api/events;x",
      "/API/events",
      "/api/health?nxtPpath=events",
      "/api/health#/api/events",
    ])("opens no stream under the spelling %s (SEC-3, SEC-4)", async (path) => {
      const routed = { "x-invoke-path": "/api/events", "x-matched-path": "/api/events", "x-original-url": "/api/events" };

      const answer = await rawRequest(hall.url, { path, headers: { origin: "http://evil.example", ...routed } });

      expect(String(answer.headers["content-type"])).not.toContain("event-stream");
    });

    it("is never allowed to read an answer, by CORS or as a resource of its own (SEC-3)", async () => {
      const isDrawn = (path: string) => !path.startsWith("/api/") && !path.startsWith("/_next/") && path !== "/settings";
      for (const path of addresses.filter((each) => !each.endsWith("/events") && !isDrawn(each))) {
        const { headers } = await rawRequest(hall.url, { path, headers: { origin: "http://evil.example" } });
        const { "access-control-allow-origin": cors, "cross-origin-resource-policy": resource } = headers;

        expect({ path, cors, resource }).toEqual({ path, cors: undefined, resource: "same-origin" });
      }
    });

    it("sends no body that a form could send, to whatever takes one and to whatever takes none (SEC-3)", async () => {
      const changes = operations.filter(({ method }) => method !== "GET");
      expect(new Set(changes.map(({ takes }) => takes))).toEqual(new Set(["application/json", "text/markdown", null]));
      const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain;application/json"];
      for (const { method, path, takes } of changes) {
        for (const type of takes === null ? types : [...types, ""]) {
          const headers: Record<string, string> = { "content-length": "12", ...asPerson, ...(type === "" ? {} : { "content-type": type }) };
          const { status } = await rawRequest(hall.url, { method, path, headers, body: '{"name":"x"}' });

          expect({ method, path, type, status }).toEqual({ method, path, type, status: 415 });
        }
      }
    });

    it("turns a request that it may send into no other one: not by a header, not by a field (SEC-3)", async () => {
      const { id } = await hall.client.sessions.create({ name: "Stays" });
      const override = { "x-http-method-override": "DELETE", "x-http-method": "DELETE", "x-method-override": "DELETE" };

      for (const method of ["GET", "HEAD", "OPTIONS"])
        await rawRequest(hall.url, { method, path: `/api/sessions/${id}?_method=DELETE`, headers: override });

      expect((await hall.client.sessions.get(id)).session.name).toBe("Stays");
    });
  });

  describe("a request that says it is for the hall", () => {
    const health = (...headers: string[]) => exchange(hall.url, requestText("GET /api/health HTTP/1.1", headers));

    it("is for it under its own names with its port, in whatever case (SEC-2)", async () => {
      for (const name of ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
        expect([name, statusesIn(await health(`Host: ${name}:${port}`))]).toEqual([name, [200]]);
    });

    it.each([
      "evil.example",
      "evil.example:PORT",
      "127.0.0.1",
      "localhost",
      "localhost.:PORT",
      "127.0.0.1.:PORT",
      "127.0.0.1:PORT.",
      "127.0.0.1:0PORT",
      "127.0.0.1:PORT:PORT",
      "127.0.0.1:80",
      "user@127.0.0.1:PORT",
      "127.0.0.1:PORT@evil.example",
      "127.0.0.1:PORT#@evil.example",
      "127.0.0.1:PORT/evil",
      "127.0.0.1:PORT, evil.example",
      "127.1:PORT",
      "0x7f000001:PORT",
      "2130706433:PORT",
      "127.0.0.2:PORT",
      "0.0.0.0:PORT",
      "::1:PORT",
      "[::]:PORT",
      "[::1]",
      "[::1%25lo]:PORT",
      "[::ffff:127.0.0.1]:PORT",
      "xn--localhost-:PORT",
      "ⓛocalhost:PORT",
      "",
    ])("is refused under the name %j (SEC-2)", async (name) => {
      const said = await exchange(
        hall.url,
        Buffer.from(requestText("GET /api/health HTTP/1.1", [`Host: ${name.replaceAll("PORT", port)}`])),
      );

      expect(statusesIn(said)).toEqual([421]);
    });

    it("is refused with two names, with none, and with a name in its first line (SEC-2)", async () => {
      const ask = async (line: string, ...headers: string[]) => statusesIn(await exchange(hall.url, requestText(line, headers)));
      const own = `Host: ${host}`;

      expect(await ask("GET /api/health HTTP/1.1", own, "Host: evil.example")).toEqual([421]);
      expect(await ask("GET /api/health HTTP/1.1", "Host: evil.example", own)).toEqual([421]);
      expect(await ask("GET /api/health HTTP/1.1")).toEqual([400]);
      expect(await ask("GET /api/health HTTP/1.0")).toEqual([421]);
      expect(await ask("GET http://evil.example/api/health HTTP/1.1", own)).toEqual([400]);
      expect(await ask(`GET ${hall.url}/api/health HTTP/1.1`, own)).toEqual([400]);
      expect(await ask("OPTIONS * HTTP/1.1", own)).toEqual([400]);
      expect(await ask(`CONNECT ${host} HTTP/1.1`, own)).toEqual([]);
    });

    it("is not believed where a header claims that a proxy had another name (SEC-2)", async () => {
      const claims = ["host", "server", "for", "proto"].map((what) => `X-Forwarded-${what}: ${host}`);
      const foreignClaims = ["X-Forwarded-Host: evil.example", "Forwarded: host=evil.example", "X-Forwarded-Proto: https"];

      const rebound = await health(`Host: evil.example:${port}`, ...claims, `Forwarded: host=${host}`, `X-Real-IP: 127.0.0.1`);
      const own = await health(`Host: ${host}`, ...foreignClaims);
      const page = await exchange(hall.url, requestText("GET / HTTP/1.1", [`Host: ${host}`, ...foreignClaims]));

      expect(statusesIn(rebound)).toEqual([421]);
      expect(statusesIn(own)).toEqual([200]);
      expect(statusesIn(page)).toEqual([200]);
      expect(own + page).not.toContain("evil.example");
    });

    it("is no WebSocket, which no rule of a browser keeps to its own site (SEC-3)", async () => {
      const upgrade = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
      const lines = ["GET /api/events HTTP/1.1", `Host: ${host}`, "Origin: http://evil.example", "Connection: Upgrade", ...upgrade, "", ""];

      expect(statusesIn(await exchange(hall.url, lines.join("\r\n")))).not.toContain(101);
    });

    it("comes from this machine, because nobody else can connect (SEC-1)", async () => {
      const outside = Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .find(({ internal, family }) => !internal && family === "IPv4");

      // A machine with no other address has nothing to be reached at.
      const reached = outside === undefined ? "refused" : await canConnect(outside.address, Number(port));

      expect(reached).toBe("refused");
    });
  });
}

function canConnect(address: string, to: number): Promise<"connected" | "refused"> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: to, timeout: 5_000 }, () => {
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
