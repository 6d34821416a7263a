import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createHttpTransport } from "./http-transport.ts";
import { ask, connectClient } from "./member-client.ts";

type Answer = (response: ServerResponse, id: number) => void;
type Served = { port: number; requests: { method: string; headers: IncomingMessage["headers"]; at: number }[] };

const forever = new AbortController().signal;
const events = { "content-type": "text/event-stream" };

describe("an answer as a stream of events", () => {
  it("is taken, whatever else comes before it", async () => {
    const result = await callOver((response, id) => {
      response.writeHead(200, events).write(": hello\n\ndata: nonsense\n\n");
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { said: "here" } })}\n\n`);
    });

    expect(result).toEqual({ said: "here" });
  });

  it("that ends too early is a failure at once, and not when the time is up", async () => {
    await expect(callOver((response) => void response.writeHead(200, events).end(": nothing\n\n"))).rejects.toThrow(
      "The answer ended before it was complete.",
    );
  });

  it("whose connection breaks is a failure at once", async () => {
    const call = callOver((response) => {
      response.writeHead(200, events).write("data: {", () => response.socket?.end());
    });

    await expect(call).rejects.toThrow("The answer ended before it was complete.");
  });

  it("is not longer than the hall takes", async () => {
    const call = callOver((response) => {
      response.writeHead(200, events);
      response.on("error", () => undefined);
      response.write("data: ");
      for (let megabyte = 0; megabyte < 17; megabyte += 1) response.write("x".repeat(1024 * 1024));
    });

    await expect(call).rejects.toThrow("The answer is longer than 16 MiB");
  });

  it("may be long in all, where each event is not", async () => {
    const result = await callOver((response, id) => {
      response.writeHead(200, events);
      for (let megabyte = 0; megabyte < 20; megabyte += 1) response.write(`: ${"x".repeat(1024 * 1024)}\n\n`);
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n\n`);
    });

    expect(result).toEqual({});
  });
});

describe("a request to a member", () => {
  it("does not say that it comes from a page, and is not sent on to another machine", async () => {
    const elsewhere = await serve((response) => void response.writeHead(200).end());
    const served = await serve((response) => {
      response.writeHead(307, { location: `http://localhost:${elsewhere.port}/mcp` }).end();
    });

    await expect(callAt(served)).rejects.toThrow(/redirect/i);

    expect(elsewhere.requests).toEqual([]);
    expect(served.requests.every(({ headers }) => headers.origin === undefined && headers.host === `127.0.0.1:${served.port}`)).toBe(true);
  });

  it("is not lost with a connection that the member had already left", async () => {
    const used = new WeakSet<Socket>();
    const served = await serve((response, id) => {
      const { socket } = response.req;
      // As if it had closed it the moment before.
      if (used.has(socket)) return void socket.destroy();
      used.add(socket);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result: { said: "here" } }));
    });
    const client = await connect(served);
    const call = () => ask(client, { method: "tools/call", params: {} }, z.looseObject({}), forever);

    const answers = [await call(), await call(), await call()];

    expect(answers).toEqual([{ said: "here" }, { said: "here" }, { said: "here" }]);
  });

  it("for its notifications is not made again and again, even if it asks for that", async () => {
    const served = await serve((response) => void response.end(), {
      onStream: (response) => void response.writeHead(200, events).end("retry: 0\n\n"),
    });
    await connect(served);

    const streams = () => served.requests.filter(({ method }) => method === "GET");
    await expect.poll(() => streams().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);

    const [first, second, third] = streams().map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(900);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(900);
  });
});

async function callOver(answer: Answer): Promise<unknown> {
  return callAt(await serve(answer));
}

async function callAt(served: Served): Promise<unknown> {
  const client = await connect(served);
  return ask(client, { method: "tools/call", params: {} }, z.looseObject({}), forever);
}

async function connect({ port }: Served) {
  const ignore = () => undefined;
  const client = await connectClient(createHttpTransport({ port, mark: "served:1", postMs: 20_000 }), {
    version: "0.0.0-test",
    signal: forever,
    onToolsChanged: ignore,
    onError: ignore,
    onClose: ignore,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A server that shakes hands as it should and then answers as told. */
async function serve(answer: Answer, { onStream }: { onStream?: (response: ServerResponse) => void } = {}): Promise<Served> {
  const requests: Served["requests"] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push({ method: request.method ?? "", headers: request.headers, at: performance.now() });
    if (request.method === "GET") return onStream === undefined ? response.writeHead(405).end() : onStream(response);
    const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { id?: number; method: string }; // by the SDK
    if (id === undefined) return response.writeHead(202).end();
    if (method !== "initialize") return answer(response, id);
    const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "served", version: "1" } };
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };
  const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a server that listens on an address has one of these
  return { port, requests };
}
