import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { onTestFinished } from "vitest";
import { createHallClient } from "../../src/client/hall-client.ts";
import { composeTestHall } from "../../src/server/composed-hall.testing.ts";

type Fetch = (request: Request) => Promise<Response>;

/** The composed hall behind plain HTTP, where commands find it: everything but the guard and the pages. */
export async function serveComposedHall(request: Parameters<typeof composeTestHall>[0] = {}) {
  const hall = await composeTestHall(request);
  const server = createServer((request, response) => void answer(hall.fetch, request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  await hall.announce(url);
  return {
    home: hall.home,
    client: createHallClient({ baseUrl: url }),
    /** Cuts every connection, as a network does. */
    cutConnections: () => server.closeAllConnections(),
  };
}

async function answer(fetch: Fetch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const method = request.method ?? "GET";
  const body = method === "GET" ? null : new Uint8Array(await buffer(request));
  const answered = await fetch(
    new Request(`http://hall${request.url ?? "/"}`, { method, headers, ...(body === null || body.length === 0 ? {} : { body }) }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  if (answered.body === null) response.end();
  else await pipeline(Readable.fromWeb(answered.body), response);
}
