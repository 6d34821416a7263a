import type { OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { asking, sendRaw, startModel } from "./ask-model.fixture.ts";
import type { ScriptedModel } from "./server.ts";

const routes = [
  ["POST", "/v1/messages"],
  ["POST", "/v1/messages/count_tokens"],
  ["GET", "/v1/models"],
  ["GET", "/"],
  ["HEAD", "/"],
  ["DELETE", "/anything/else"],
] as const;

const body = JSON.stringify(asking("hi"));
const start = (): Promise<ScriptedModel> => startModel({ turns: [{ reply: { text: "Hello." } }] });
const json: OutgoingHttpHeaders = { "content-type": "application/json" };

describe("a request that was not meant for the scripted model", () => {
  it.each(routes)("is refused by its Host, as after DNS rebinding: %s %s (SEC-2, SEC-4)", async (method, path) => {
    const model = await start();

    const answers = await Promise.all(
      [`evil.example:${model.port}`, "127.0.0.1", `127.0.0.1:${model.port + 1}`, `127.0.0.1:${model.port}.evil.example`].map((host) =>
        sendRaw(model, { method, path, headers: { ...json, host } }, method === "POST" ? body : ""),
      ),
    );

    expect(answers.map((answer) => answer.status)).toEqual([421, 421, 421, 421]);
    expect(model.requests).toEqual([]);
  });

  it.each(routes)("is refused by its origin: %s %s (SEC-3, SEC-4)", async (method, path) => {
    const model = await start();
    const foreign: OutgoingHttpHeaders[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];

    const answers = await Promise.all(
      foreign.map((headers) => sendRaw(model, { method, path, headers: { ...json, ...headers } }, method === "POST" ? body : "")),
    );

    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
    expect(model.requests).toEqual([]);
  });

  it("gets no leave from CORS, whatever it asks (SEC-3)", async () => {
    const model = await start();
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };

    const answer = await sendRaw(model, { method: "OPTIONS", path: "/v1/messages", headers });

    expect(answer.status).toBe(403);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    'is refused with a body of type "%s", which a page may send without asking (SEC-3)',
    async (type) => {
      const model = await start();

      const answer = await sendRaw(model, { method: "POST", path: "/v1/messages", headers: { "content-type": type } }, body);

      expect(answer.status).toBe(415);
      expect(model.requests).toEqual([]);
    },
  );

  it.each(["/v1/../secret", "/v1/%2e%2e/secret", "/%ff", "/a%00b", "//evil\\path"])("is refused with the path %s (SEC-4)", async (path) => {
    const model = await start();

    const answer = await sendRaw(model, { method: "GET", path });

    expect(answer.status).toBe(400);
  });
});

describe("limits of the scripted model", () => {
  const tooMuch = 16 * 1024 * 1024 + 1;

  it("refuse a body that announces too many bytes, before reading it (SEC-15)", async () => {
    const model = await start();

    const answer = await sendRaw(model, { method: "POST", path: "/v1/messages", headers: { ...json, "content-length": tooMuch } });

    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { type: "request_too_large" } });
  });

  it("refuse a body that has too many bytes without announcing them (SEC-15)", async () => {
    const model = await start();
    const headers = { ...json, "transfer-encoding": "chunked" };

    // The answer may be lost when the server closes while we still write; either way nothing is taken.
    const outcome = await sendRaw(model, { method: "POST", path: "/v1/messages", headers }, Buffer.alloc(tooMuch, " ")).then(
      (answer) => answer.status,
      (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
    );

    expect([413, "EPIPE", "ECONNRESET"]).toContain(outcome);
    expect(model.requests).toEqual([]);
  });

  it("close connections beyond the number it serves (SEC-15)", async () => {
    const model = await start();
    const sockets = Array.from({ length: 256 + 20 }, () => connect(model.port, "127.0.0.1").on("error", () => undefined));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));

    const closed = await new Promise<number>((resolve) => {
      let count = 0;
      for (const socket of sockets) socket.resume().once("close", () => (count += 1) === 20 && resolve(count));
    });

    expect(closed).toBe(20);
    expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(256);
  });

  it("refuse a body that is not JSON, in words", async () => {
    const model = await start();

    const answer = await sendRaw(model, { method: "POST", path: "/v1/messages", headers: json }, "{");

    expect(answer.status).toBe(400);
    expect(answer.body).toContain("is not JSON");
  });
});
