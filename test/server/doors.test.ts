import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { rawRequest } from "../raw-request.ts";
import type { HallProcess } from "../running-hall.ts";
import { startSharedHall } from "../running-hall.ts";

const webBuild = join(import.meta.dirname, "../../src/web/.next");
const anId = "ses_01jcqz8x8b6m4t9v3k2n5p7r0w";
const aJob = "0f3c1d3e-7a51-4a5e-9d3c-2f6f0a4f9b11";
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

let hall: HallProcess;
let addresses: { path: string; methods: string[]; takesBody?: boolean }[];

beforeAll(async () => {
  hall = await startSharedHall();
  addresses = [...(await apiAddresses()), ...(await pageAddresses()), ...(await assetAddresses())];
});

describe("every address of the hall", () => {
  it("is known to this test: the API by its own description, pages and scripts by the build", () => {
    expect(addresses.filter(({ path }) => path.startsWith("/api/")).length).toBeGreaterThanOrEqual(10);
    expect(addresses.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "/",
        "/settings",
        "/gallery",
        `/sessions/${anId}`,
        "/api/events",
        `/api/workers/example/jobs/${aJob}/events`,
      ]),
    );
    expect(addresses.some(({ path }) => path.endsWith(".js"))).toBe(true);
  });

  it("answers nobody under a foreign name, whatever the method (SEC-2, SEC-4)", async () => {
    for (const { path } of addresses) {
      for (const method of methods) {
        const { status } = await rawRequest(hall.url, { method, path, headers: { host: "evil.example:80" } });

        expect({ method, path, status }).toEqual({ method, path, status: 421 });
      }
    }
  });

  it("refuses every state change and every stream that another site asks for (SEC-3, SEC-4)", async () => {
    const foreign = [{ origin: "http://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }];
    for (const { path } of addresses) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", ...(path.endsWith("/events") ? ["GET"] : [])]) {
        for (const headers of foreign) {
          const { status } = await rawRequest(hall.url, { method, path, headers });

          expect({ method, path, headers, status }).toEqual({ method, path, headers, status: 403 });
        }
      }
    }
  });

  it("never allows another origin to read it (SEC-3)", async () => {
    for (const { path } of addresses.filter((each) => !each.path.endsWith("/events"))) {
      const { headers } = await rawRequest(hall.url, { path, headers: { origin: "http://evil.example" } });

      expect({ path, cors: headers["access-control-allow-origin"] }).toEqual({ path, cors: undefined });
    }
  });

  it("takes a body as JSON only, so that no form of another site can send one (SEC-3)", async () => {
    const changes = addresses.filter((each) => each.path.startsWith("/api/") && each.methods.includes("POST"));
    expect(new Set(changes.map(({ takesBody }) => takesBody))).toEqual(new Set([true, false]));
    for (const { path, takesBody } of changes) {
      const foreign = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
      for (const type of takesBody === true ? [...foreign, ""] : foreign) {
        const { status } = await rawRequest(hall.url, {
          method: "POST",
          path,
          headers: type === "" ? {} : { "content-type": type },
          body: '{"name":"x"}',
        });

        expect({ path, type, status }).toEqual({ path, type, status: 415 });
      }
    }
  });
});

async function apiAddresses() {
  const { body } = await rawRequest(hall.url, { path: "/api/openapi.json" });
  const { paths } = JSON.parse(body) as { paths: Record<string, Record<string, object>> }; // OpenAPI
  return Object.entries(paths).map(([path, operations]) => ({
    path: path
      .replace("{id}", anId)
      .replaceAll(/\{(?:member|worker)\}/g, "example")
      .replace("{jobId}", aJob),
    methods: Object.keys(operations).map((name) => name.toUpperCase()),
    takesBody: "requestBody" in (operations["post"] ?? {}),
  }));
}

async function pageAddresses() {
  const manifest = JSON.parse(await readFile(join(webBuild, "app-path-routes-manifest.json"), "utf8")) as Record<string, string>; // Next's map of files to addresses
  return Object.values(manifest)
    .filter((path) => !path.startsWith("/api/") && !path.startsWith("/_"))
    .map((path) => ({ path: path.replace("[id]", anId).replaceAll(/\[\w+\]/g, "example"), methods: ["GET"] }));
}

async function assetAddresses() {
  const { body } = await rawRequest(hall.url);
  const found = [...body.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map((match) => match[1] ?? "");
  return [...new Set(found)].slice(0, 4).map((path) => ({ path, methods: ["GET"] }));
}
