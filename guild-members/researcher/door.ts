import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { rpcCodes } from "./rpc-error.ts";

const maxBodyBytes = 4 * 1024 * 1024;

/** `mark` is what the hall started this member with. Without one, every program of this machine may ask. */
type DoorParts = { port: number; mark: string | undefined; connect: () => Server };

/**
 * Streamable HTTP at `/mcp`, for whoever started this member: no web page and no other user of this machine gets through. Every
 * request stands for itself: there is no connection to open first, so `curl` can dispatch a job.
 */
export function createDoor({ port, mark, connect }: DoorParts): RequestListener {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = judge(request, port, mark);
    if (refusal !== null) return refuse(response, refusal);
    const body = await readBody(request);
    if (body === null) return refuse(response, { status: 413, reason: `A request may have ${maxBodyBytes} bytes.` });
    const message = parse(body);
    if ("reason" in message) return refuse(response, message);
    const answered = await ask(message.value, request, connect());
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  }

  return (request, response) =>
    void answer(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) refuse(response, { status: 500, reason: "The member failed; its stderr says why." });
    });
}

async function ask(message: unknown, { headers, url }: IncomingMessage, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const version = headers["mcp-protocol-version"];
  try {
    const request = new Request(new URL(url ?? "/mcp", "http://127.0.0.1"), {
      method: "POST",
      // The SDK wants a client that takes streams too. What it answers here is always one JSON document.
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(typeof version === "string" ? { "mcp-protocol-version": version } : {}),
      },
    });
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

type Refusal = { status: number; reason: string; code?: number; id?: string | number | null };

/** Any page in a browser can send requests to this machine. It cannot choose the Host or hide its Origin; other users can, and do not know the mark. */
function judge({ headers, method, url }: IncomingMessage, port: number, mark: string | undefined): Refusal | null {
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  if (!names.includes(headers.host?.toLowerCase() ?? "")) return { status: 421, reason: "This member does not answer to that name." };
  const site = headers["sec-fetch-site"];
  const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
  const isOwnOrigin = headers.origin === undefined || names.some((name) => headers.origin?.toLowerCase() === `http://${name}`);
  if (isForeign || !isOwnOrigin) return { status: 403, reason: "This request comes from a web page and was refused." };
  if (mark !== undefined && !isSame(String(headers["guild-hall-member"]), mark)) return notTheHall;
  if (url?.split("?", 1)[0] !== "/mcp") return { status: 404, reason: "There is only /mcp here." };
  if (method !== "POST") return { status: 405, reason: "Only POST is answered here: there are no streams and no connections to close." };
  if (mediaType(headers["content-type"]) !== "application/json") return { status: 415, reason: "A request must be application/json." };
  return takesJson(headers.accept) ? null : { status: 406, reason: "Answers are application/json, which this request does not accept." };
}

const notTheHall: Refusal = { status: 401, reason: "This member answers to the hall that started it. Ask the hall." };

/** Compares digests, which have one length, so that the time taken says nothing about the mark. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

const mediaType = (header: string | undefined): string => header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";

const takesJson = (accept: string | undefined): boolean =>
  accept === undefined || accept.split(",").some((type) => ["*/*", "application/*", "application/json"].includes(mediaType(type)));

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What comes further is read and dropped, so that the sender hears the answer.
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size > maxBodyBytes ? null : Buffer.concat(chunks).toString("utf8");
}

/** JSON-RPC tells apart what is no JSON and what is JSON but no request. */
function parse(body: string): { value: unknown } | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return { status: 400, code: rpcCodes.parse, reason: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (JSONRPCMessageSchema.safeParse(value).success) return { value };
  if (Array.isArray(value)) return { status: 400, code: rpcCodes.invalidRequest, reason: "Send one request at a time." };
  const reason = 'This is no request of JSON-RPC 2.0: { "jsonrpc": "2.0", "id": 1, "method": "worker/list", "params": {} }.';
  return { status: 400, code: rpcCodes.invalidRequest, reason, id: idOf(value) };
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
}

function refuse(response: ServerResponse, { status, reason, code = -32_000, id = null }: Refusal): void {
  const headers = { "content-type": "application/json", ...(status === 405 ? { allow: "POST" } : {}) };
  response.writeHead(status, headers);
  response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: reason } }));
}
