import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createHallClient } from "../../src/client/hall-client.ts";
import type { HallClient } from "../../src/client/hall-client.ts";
import { openHallInProcess } from "../../src/server/hall-in-process.testing.ts";

type Fetch = (request: Request) => Promise<Response>;

export type ServedHall = {
  home: string;
  /** Where another one can be opened when this one is closed. */
  port: number;
  client: HallClient;
  /** Cuts every connection, as a network does. */
  cutConnections(): void;
  close(): Promise<void>;
};

type ServedRequest = {
  /** That of a hall which has ended; otherwise a new one. */
  home?: string;
  port?: number;
  env?: Record<string, string>;
  /** Puts into the home what the hall is to find there. */
  prepare?: (home: string) => Promise<unknown>;
};

/**
 * The composed hall behind plain HTTP, where commands find it: everything but the guard, the pages, the members that come with
 * a hall and agents that wait for a message. Opened in `beforeAll`, which closes it with what it answers: `return hall.close`.
 */
export async function openServedHall({ home: given, port = 0, env = {}, prepare }: ServedRequest = {}): Promise<ServedHall> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-test-")));
  const home = given ?? join(folder, "home");
  await prepare?.(home);
  const hall = await openHallInProcess({
    folder,
    home,
    config: { runs: { waiting: 0 } },
    env: { ...process.env, ANTHROPIC_BASE_URL: "", ...env },
  });
  const server = createServer((request, response) => void answer(hall.fetch, request, response).catch(() => response.destroy()));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  await hall.announce(url);
  return {
    home,
    port: address.port,
    client: createHallClient({ baseUrl: url, token: hall.personKey }),
    cutConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await hall.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function answer(fetch: Fetch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const method = request.method ?? "GET";
  const body = method === "GET" ? null : new Uint8Array(await buffer(request));
  // Whoever leaves is seen to have left, as by the hall's own server.
  const leaving = new AbortController();
  response.once("close", () => leaving.abort());
  const answered = await fetch(
    new Request(`http://hall${request.url ?? "/"}`, {
      method,
      headers,
      signal: leaving.signal,
      ...(body === null || body.length === 0 ? {} : { body }),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  if (answered.body === null) response.end();
  else await pipeline(Readable.fromWeb(answered.body), response);
}
