import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** A client that never says goodbye leaves its connection behind; beyond this many the oldest is closed. */
const maxConnections = 64;

/** `mark` is what the hall started this member with. Without one, every program of this machine may ask. */
type DoorParts = { port: number; mark: string | undefined; connect: () => Server };

/** Streamable HTTP at `/mcp`, for whoever started this member: no web page and no other user of this machine gets through. */
export function createDoor({ port, mark, connect }: DoorParts): RequestListener {
  const connections = new Map<string, StreamableHTTPServerTransport>();

  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        connections.set(id, transport);
        const [oldest] = connections;
        if (connections.size > maxConnections && oldest !== undefined) void oldest[1].close();
      },
    });
    const server = connect();
    server.onclose = () => void connections.delete(transport.sessionId ?? "");
    await server.connect(transport);
    return transport;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = judge(request, port, mark);
    if (refusal !== null) return refuse(response, refusal);
    const id = request.headers["mcp-session-id"];
    const transport = id === undefined ? await open() : connections.get(String(id));
    if (transport === undefined) return refuse(response, { status: 404, reason: "This connection has ended. Connect again." });
    await transport.handleRequest(request, response);
  }

  return (request, response) =>
    void answer(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) refuse(response, { status: 500, reason: "The member failed; its stderr says why." });
    });
}

type Refusal = { status: number; reason: string };

/** Any page in a browser can send requests to this machine. It cannot choose the Host or hide its Origin; other users can, and do not know the mark. */
function judge({ headers, url }: IncomingMessage, port: number, mark: string | undefined): Refusal | null {
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  if (!names.includes(headers.host?.toLowerCase() ?? "")) return { status: 421, reason: "This member does not answer to that name." };
  const site = headers["sec-fetch-site"];
  const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
  const isOwnOrigin = headers.origin === undefined || names.some((name) => headers.origin?.toLowerCase() === `http://${name}`);
  if (isForeign || !isOwnOrigin) return { status: 403, reason: "This request comes from a web page and was refused." };
  if (mark !== undefined && !isSame(String(headers["guild-hall-member"]), mark)) return notTheHall;
  return url?.split("?", 1)[0] === "/mcp" ? null : { status: 404, reason: "There is only /mcp here." };
}

const notTheHall: Refusal = { status: 401, reason: "This member answers to the hall that started it. Ask the hall." };

/** Compares digests, which have one length, so that the time taken says nothing about the mark. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message: reason } }));
}
