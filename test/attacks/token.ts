import { beforeAll, describe, expect, it } from "vitest";
import { rawRequest } from "../raw-request.ts";
import type { Hall } from "../running-hall.ts";
import { readOperations, readPages } from "./addresses.ts";

/** Who has the token, and who only says so. */
export function attackToken(running: () => Hall, token: string): void {
  const bearer = { authorization: `Bearer ${token}` };

  let hall: Hall;

  beforeAll(() => {
    hall = running();
  });

  describe("a hall with a token, to somebody who does not have it", () => {
    it("says nothing but where to type it: pages, scripts, every route and every stream (SEC-5)", async () => {
      const operations = await readOperations(hall.url, bearer);
      const asked = [
        ...(await readPages(hall.url, bearer)).map((path) => ({ method: "GET", path })),
        ...operations.filter(({ path }) => path !== "/api/login"),
        { method: "GET", path: "/_next/static/x.js" },
        { method: "GET", path: "/api/login" },
      ];
      expect(asked.length).toBeGreaterThan(50);

      for (const { method, path } of asked)
        expect({ method, path, status: (await rawRequest(hall.url, { method, path })).status }).toEqual({ method, path, status: 401 });

      const page = await rawRequest(hall.url, { headers: { accept: "text/html" } });
      expect(page.body).toContain("asks for its token");
      expect((await hall.client.health()).status).toBe("ok");
    });

    it.each([
      ["nothing", { authorization: "Bearer " }],
      ["a part of it", { authorization: `Bearer ${token.slice(0, -1)}` }],
      ["more than it", { authorization: `Bearer ${token}x` }],
      ["it twice", { authorization: `Bearer ${token} ${token}` }],
      ["it in another case", { authorization: `Bearer ${token.toUpperCase()}` }],
      ["it as a password", { authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` }],
      ["it as the cookie", { cookie: `guild_hall=${token}` }],
      ["an empty cookie", { cookie: "guild_hall=" }],
      ["it in headers of other products", { "x-api-key": token, "x-auth-token": token, "proxy-authorization": `Bearer ${token}` }],
      ["as much as fits into a header", { authorization: `Bearer ${"x".repeat(12_000)}` }],
    ])("stays closed to %s (SEC-5)", async (_what, headers) => {
      expect((await rawRequest(hall.url, { path: "/api/sessions", headers })).status).toBe(401);
    });

    it.each([
      "/api/sessions?token=TOKEN",
      "/?token=TOKEN",
      "/api/sessions?access_token=TOKEN",
      "/TOKEN",
      "/api/sessions?authorization=Bearer%20TOKEN",
    ])("stays closed to an address that has it: %s (SEC-5)", async (path) => {
      expect((await rawRequest(hall.url, { path: path.replace("TOKEN", token) })).status).toBe(401);
    });

    it("takes it neither from another site nor under another name, even where it is right (SEC-2, SEC-3, SEC-5)", async () => {
      const login = async (headers: Record<string, string>) =>
        (await rawRequest(hall.url, { ...theLogin(token), headers: { "content-type": "application/json", ...headers } })).status;

      expect(await login({ origin: "http://evil.example" })).toBe(403);
      expect(await login({ "sec-fetch-site": "cross-site" })).toBe(403);
      expect(await login({ host: "evil.example" })).toBe(421);
      expect(await login({ "content-type": "text/plain" })).toBe(415);
      expect((await rawRequest(hall.url, { path: "/api/sessions", headers: { ...bearer, host: "evil.example" } })).status).toBe(421);
    });

    it("gives a browser its cookie for the token, of no use to scripts and other sites (SEC-5)", async () => {
      const headers = { "content-type": "application/json" };
      const wrong = await rawRequest(hall.url, { ...theLogin("not-the-token"), headers });
      const right = await rawRequest(hall.url, { ...theLogin(token), headers });

      expect([wrong.status, wrong.headers["set-cookie"]]).toEqual([401, undefined]);
      expect(right.status).toBe(204);
      const [cookie = "", ...flags] = right.headers["set-cookie"]?.[0]?.split("; ") ?? [];
      expect(flags).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Strict", "Path=/"]));
      expect(flags.some((flag) => flag.startsWith("Domain"))).toBe(false);
      expect(cookie).not.toContain(token);
      expect((await rawRequest(hall.url, { path: "/api/health", headers: { cookie } })).status).toBe(200);
      expect((await rawRequest(hall.url, { path: "/api/health", headers: { cookie: `${cookie}x` } })).status).toBe(401);
      // Cookies that another server of this host name adds neither lock out nor let in.
      const [name] = cookie.split("=");
      const tossed = (cookies: string) => rawRequest(hall.url, { path: "/api/health", headers: { cookie: cookies } });
      const many = Array.from({ length: 200 }, (_, at) => `${name}=${String(at).padStart(43, "x")}`);
      for (const cookies of [`${name}=evil; ${cookie}`, `${cookie}; ${name}=evil`, [...many, cookie].join("; ")])
        expect((await tossed(cookies)).status).toBe(200);
      expect((await tossed(`${name}=evil; ${name}=${token}; ${many.join("; ")}`)).status).toBe(401);
    });
  });
}

const theLogin = (given: string) => ({ method: "POST", path: "/api/login", body: JSON.stringify({ token: given }) });
