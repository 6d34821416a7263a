import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../schema/error-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { judgeRequest } from "./judge-request.ts";
import type { RequestHead } from "./judge-request.ts";

const rules = { allowedHosts: new Set(["127.0.0.1:4870", "localhost:4870", "[::1]:4870"]) };
const home = { host: "localhost:4870" };

function verdict(head: Partial<RequestHead>): ErrorCode | "allowed" {
  try {
    judgeRequest({ method: "GET", target: "/", headers: home, isStream: false, ...head }, rules);
    return "allowed";
  } catch (error) {
    if (error instanceof HallError) return error.code;
    throw error;
  }
}

describe("the guard's judgement", () => {
  it.each(["127.0.0.1:4870", "localhost:4870", "LOCALHOST:4870", "[::1]:4870"])("answers to %s (SEC-2)", (host) => {
    expect(verdict({ headers: { host } })).toBe("allowed");
  });

  it.each([
    "evil.example",
    "evil.example:4870",
    "localhost",
    "localhost:4871",
    "localhost:4870.evil.example",
    "127.0.0.1:4870@evil.example",
    "0.0.0.0:4870",
    "",
  ])("refuses the host %j, reads included (SEC-2)", (host) => {
    expect(verdict({ headers: { host } })).toBe("foreign_host");
  });

  it("refuses a request with no Host, and one with two (SEC-2)", () => {
    expect(verdict({ headers: {} })).toBe("foreign_host");
    expect(verdict({ headers: { host: ["localhost:4870", "evil.example"] } })).toBe("foreign_host");
  });

  it("ignores forwarded headers (SEC-2)", () => {
    expect(verdict({ headers: { host: "evil.example", "x-forwarded-host": "localhost:4870", forwarded: "host=localhost:4870" } })).toBe(
      "foreign_host",
    );
  });

  it.each([
    "http://evil.example",
    "null",
    "http://localhost:4871",
    "http://127.0.0.1:4870",
    "https://localhost:4870.evil.example",
    "garbage",
  ])("refuses a state change from the origin %s (SEC-3)", (origin) => {
    expect(verdict({ method: "POST", headers: { ...home, origin } })).toBe("forbidden_origin");
  });

  it.each(["cross-site", "same-site", "same-origin, cross-site", ""])("refuses a %j fetch of whatever it asks for (SEC-3)", (site) => {
    const headers = { ...home, "sec-fetch-site": site };

    expect(verdict({ method: "DELETE", headers })).toBe("forbidden_origin");
    expect(verdict({ isStream: true, headers })).toBe("forbidden_origin");
    for (const target of ["/", "/sessions/x", "/_next/static/x.js", "/api/sessions?q=word", "/api", "//API/sessions"])
      expect([target, verdict({ target, headers })]).toEqual([target, "forbidden_origin"]);
  });

  it("lets its own pages and programs without a browser change state (SEC-3)", () => {
    expect(verdict({ method: "POST", headers: { ...home, origin: "http://localhost:4870", "sec-fetch-site": "same-origin" } })).toBe(
      "allowed",
    );
    expect(verdict({ method: "POST" })).toBe("allowed");
  });

  it("lets a link from another page open a page, and nothing of the API (SEC-3)", () => {
    const link = { ...home, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

    expect(verdict({ headers: link })).toBe("allowed");
    expect(verdict({ target: "/open?code=x", headers: link })).toBe("allowed");
    for (const target of ["/api", "/api/sessions", "/api?x", "//api/sessions", "/API/sessions"])
      expect([target, verdict({ target, headers: link })]).toEqual([target, "forbidden_origin"]);
    expect(verdict({ headers: { ...link, "sec-fetch-dest": "iframe" } })).toBe("forbidden_origin");
    expect(verdict({ headers: { ...link, "sec-fetch-mode": "no-cors" } })).toBe("forbidden_origin");
    expect(verdict({ method: "POST", headers: link })).toBe("forbidden_origin");
  });

  it("lets its own pages, and programs without these headers, read everything", () => {
    for (const target of ["/", "/api/sessions", "/_next/static/x.js"]) {
      for (const site of ["same-origin", "none"]) expect(verdict({ target, headers: { ...home, "sec-fetch-site": site } })).toBe("allowed");
      expect(verdict({ target })).toBe("allowed");
    }
  });

  it.each([
    "/a/../b",
    "/..",
    "/%2e%2e/b",
    "/a/%2E%2e",
    "/a\\..\\b",
    "/a/%5c..",
    "/%",
    "/%zz",
    "/a%00b",
    "http://evil.example/",
    "*",
    "",
    "/./a",
    "/api/%65vents",
    "/%61pi/health",
    "/a/%7Euser",
  ])("refuses the address %j as malformed (SEC-7)", (target) => {
    expect(verdict({ target })).toBe("bad_request");
  });

  it("spells no letter, digit or mark in two ways, and leaves what has to be encoded alone (SEC-4)", () => {
    const codes = Array.from({ length: 0x80 - 0x20 }, (_, index) => index + 0x20);

    const refused = codes.filter((code) => verdict({ target: `/x%${code.toString(16).toUpperCase()}` }) === "bad_request");

    expect(String.fromCharCode(...refused)).toBe("-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ\\_abcdefghijklmnopqrstuvwxyz~\u007f");
    expect(verdict({ target: `/${encodeURIComponent("Zoë & the 7 %-signs?/!*'()")}` })).toBe("allowed");
  });

  it("never lets an unknown host through, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("GET", "POST", "PUT", "HEAD", "PROPFIND"), (host, method) => {
        fc.pre(!rules.allowedHosts.has(host.toLowerCase()));

        expect(verdict({ method, headers: { host } })).toBe("foreign_host");
      }),
    );
  });

  it("never lets a path leave its root, however it is encoded", () => {
    const dots = fc.constantFrom("..", "%2e%2e", "%2E.", ".%2e", "..%2f", "%2e%2e%2f");
    fc.assert(
      fc.property(fc.array(fc.webSegment()), dots, fc.array(fc.webSegment()), (before, up, after) => {
        expect(verdict({ target: `/${[...before, up, ...after].join("/")}` })).toBe("bad_request");
      }),
    );
  });
});
