import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createMemberFetch } from "./member-fetch.ts";

/** With every request, the mark that the member was started with: what a member answers to nobody else who shares this machine. */
const markHeader = "guild-hall-member";

/** MCP over HTTP with a member that listens on this machine. No session is ended by hand: it ends with the process. */
export function createHttpTransport({ port, mark, postMs }: { port: number; mark: string; postMs: number }): Transport {
  const http = createMemberFetch(postMs);
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    fetch: http.fetch,
    requestInit: { headers: { [markHeader]: mark } },
    reconnectionOptions: { initialReconnectionDelay: 1000, reconnectionDelayGrowFactor: 2, maxReconnectionDelay: 30_000, maxRetries: 10 },
  });
  const close = transport.close.bind(transport);
  return Object.assign(transport as Transport, {
    // The SDK's own types disagree about optional properties.
    close: async () => {
      await close();
      http.close();
    },
  });
}

/** Resolves when somebody listens on the port. */
export async function untilListening(port: number, signal: AbortSignal): Promise<void> {
  for (let wait = 20; !(await isListening(port)); wait = Math.min(wait * 1.5, 250)) await pause(wait, undefined, { signal });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (found: boolean) => () => {
      socket.destroy();
      resolve(found);
    };
    socket.once("connect", answer(true)).once("error", answer(false));
  });
}
