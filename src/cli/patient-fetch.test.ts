import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createHallClient } from "../client/hall-client.ts";
import { patientFetch } from "./patient-fetch.ts";

it("waits for an answer for longer than fetch does", async () => {
  const asked = new Map<string, ServerResponse>();
  const url = await listen((request, response) => void asked.set(request.url ?? "", response));
  const hurry = await makeFetchHurry(url);

  const patient = patientFetch(`${url}/patient`);
  const hurried = await fetch(`${url}/hurried`).catch((error: unknown) => error);
  hurry.end();
  asked.get("/patient")?.end("at last");

  expect(hurried).toMatchObject({ cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
  expect(await (await patient).text()).toBe("at last");
});

it("sends and answers what fetch does: method, headers, body, status, and a body in pieces", async () => {
  const seen: unknown[] = [];
  const url = await listen(async (request, response) => {
    seen.push([request.method, request.headers["x-mine"], request.headers["content-length"], await text(request)]);
    response.writeHead(request.method === "DELETE" ? 204 : 418, { "x-theirs": "yes" });
    if (request.method !== "DELETE") response.write("one ");
    response.end(request.method === "DELETE" ? undefined : "two");
  });

  const posted = await patientFetch(new Request(url, { method: "POST", headers: { "x-mine": "1" }, body: "ü" }));
  const deleted = await patientFetch(url, { method: "DELETE" });

  expect(seen[0]).toEqual(["POST", "1", "2", "ü"]);
  expect([posted.status, posted.headers.get("x-theirs"), await posted.text()]).toEqual([418, "yes", "one two"]);
  expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
});

it("goes away when it is told to, before an answer and in the middle of one", async () => {
  const left: string[] = [];
  const arrived: Promise<unknown>[] = [];
  const waiting = Promise.withResolvers<void>();
  const url = await listen((request, response) => {
    arrived.push(once(response, "close").then(() => left.push(request.url ?? "")));
    if (request.url === "/begun") response.write("begun");
    else waiting.resolve();
  });
  const leaving = new AbortController();

  const begun = await patientFetch(`${url}/begun`, { signal: leaving.signal });
  const silent = patientFetch(`${url}/silent`, { signal: leaving.signal });
  await waiting.promise;
  leaving.abort();

  await expect(silent).rejects.toMatchObject({ name: "AbortError" });
  await expect(begun.text()).rejects.toBeInstanceOf(Error);
  await Promise.all(arrived);
  expect(left.toSorted()).toEqual(["/begun", "/silent"]);
});

it("does not even ask when it was told before, and the error is told to nobody else", async () => {
  const asked: unknown[] = [];
  const url = await listen((request) => asked.push(request.url));
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on("uncaughtExceptionMonitor", hear);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", hear));
  const leaving = new AbortController();

  const early = patientFetch(url, { signal: AbortSignal.abort() });
  const meanwhile = patientFetch(url, { method: "POST", body: "x", signal: leaving.signal });
  leaving.abort();

  await expect(early).rejects.toMatchObject({ name: "AbortError" });
  await expect(meanwhile).rejects.toMatchObject({ name: "AbortError" });
  await patientFetch(url, { signal: AbortSignal.timeout(20) }).catch(() => undefined);
  expect(asked.length).toBeLessThan(2);
  expect(unheard).toEqual([]);
});

it("tells a hall that is not there from one that went away", async () => {
  const url = await listen((request) => request.socket.destroy());
  const client = createHallClient({ baseUrl: url, fetch: patientFetch });
  const nobody = createHallClient({ baseUrl: "http://127.0.0.1:1", fetch: patientFetch });

  await expect(client.health()).rejects.toThrow(/went away before/);
  await expect(nobody.health()).rejects.toThrow(/^No hall answers/);
});

it("tells a hall that went away in the middle of an answer as one that cannot be reached", async () => {
  const url = await listen((_request, response) => void response.write("{", () => response.destroy()));
  const client = createHallClient({ baseUrl: url, fetch: patientFetch });

  await expect(client.health()).rejects.toMatchObject({
    code: "hall_unreachable",
    message: `The hall at ${url} went away in the middle of its answer. See whether it is open with: guild-hall status`,
  });
});

async function listen(onRequest: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((request, response) => void onRequest(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  // A server that listens on a port has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Node keeps the five minutes of its `fetch` in an object that can be had only here; for a moment they are none. */
async function makeFetchHurry(url: string): Promise<{ end(): void }> {
  const place = Symbol.for("undici.globalDispatcher.1");
  // It is made by the first use.
  await fetch(url.replace(/\d+$/, "1")).catch(() => undefined);
  const usual = Reflect.get(globalThis, place) as { constructor: new (options: object) => object };
  Reflect.set(globalThis, place, new usual.constructor({ headersTimeout: 1 }));
  const end = () => void Reflect.set(globalThis, place, usual);
  onTestFinished(end);
  return { end };
}
