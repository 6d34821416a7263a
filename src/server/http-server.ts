import { createServer } from "node:http";
import type { Server } from "node:http";

export const mostConnections = 2048;

/** The HTTP server with its limits for connections. `docs/security.md` names the times. */
export function createHttpServer(): Server {
  const server = createServer({
    headersTimeout: 60_000,
    requestTimeout: 300_000,
    // Node looks for connections past these times only so often: every 30 s by default, which adds up to 30 s to each of them.
    connectionsCheckingInterval: 2_000,
  });
  server.maxConnections = mostConnections;
  // Clients are told that an idle connection is closed after 5 s, and leave it in time. One on a busy machine may be late, and what it
  // sends on a connection that was just closed would be lost.
  server.keepAliveTimeoutBuffer = 30_000;
  return server;
}
