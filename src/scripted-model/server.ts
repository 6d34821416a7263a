import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { judgeRequest } from "../core/guard/judge-request.ts";
import { errorMeanings } from "../schema/error-code.ts";
import { HallError } from "../schema/hall-error.ts";
import { sendError } from "./api-error.ts";
import { readConversation } from "./conversation.ts";
import type { Conversation } from "./conversation.ts";
import { estimateTokens } from "./message-stream.ts";
import { ModelRequest } from "./model-request.ts";
import { playScript } from "./play-script.ts";
import type { ReplyFunction } from "./play-script.ts";
import { readJson } from "./read-json.ts";
import { createRequestLog } from "./request-log.ts";
import type { RecordedRequest, RequestLog, RequestTest } from "./request-log.ts";
import { Script } from "./script.ts";
import { sendReply } from "./send-reply.ts";

export type { RecordedRequest, ReplyFunction };

export type ScriptedModelOptions = {
  script: Script | ReplyFunction;
  /** 0, the default, takes any free one. */
  port?: number;
  /** How many calls are kept for looking at, and how many bytes of them. */
  keep?: { count: number; bytes: number };
};

export type ScriptedModel = {
  /** For `ANTHROPIC_BASE_URL`. */
  url: string;
  port: number;
  requests: readonly RecordedRequest[];
  /** The n-th call since the start, or the first kept one that passes the test; waits for it if it has not come yet. */
  waitForRequest(wanted: number | RequestTest): Promise<RecordedRequest>;
  close(): Promise<void>;
};

const maxBodyBytes = 32 * 1024 * 1024;
const maxConnections = 256;

/** A server on loopback that speaks the Messages API and answers from a script. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const reply = typeof options.script === "function" ? options.script : playScript(Script.parse(options.script));
  const log = createRequestLog(options.keep ?? { count: 1_000, bytes: 64 * 1024 * 1024 });
  const allowedHosts = new Set<string>();
  const server = createServer((request, response) => {
    answer(request, response, { reply, log, allowedHosts }).catch((error: unknown) => refuse(response, error));
  });
  server.maxConnections = maxConnections;
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server.address());
  for (const name of ["127.0.0.1", "localhost", "[::1]"]) allowedHosts.add(`${name}:${port}`);

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: log.requests,
    waitForRequest: (wanted) => log.waitFor(wanted),
    async close() {
      log.close();
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Stage = { reply: ReplyFunction; log: RequestLog; allowedHosts: ReadonlySet<string> };

async function answer(request: IncomingMessage, response: ServerResponse, stage: Stage): Promise<void> {
  const { method = "", url = "", headers } = request;
  // Every answer counts as a stream: no page of any site has business here, not even to read.
  judgeRequest({ method, target: url, headers, isStream: true }, { allowedHosts: stage.allowedHosts });
  const path = url.split("?", 1)[0] ?? "";
  switch (`${method} ${path}`) {
    case "POST /v1/messages":
      return answerModelCall(request, response, stage);
    case "POST /v1/messages/count_tokens":
      return sendJson(response, { input_tokens: estimateTokens((await readJson(request, maxBodyBytes)).value) });
    case "GET /v1/models":
      return sendJson(response, {
        data: [scriptedModelEntry],
        has_more: false,
        first_id: scriptedModelEntry.id,
        last_id: scriptedModelEntry.id,
      });
    case "GET /":
    case "HEAD /":
      return sendJson(response, { name: "scripted model" });
    default:
      return sendError(response, { status: 404, message: `The scripted model has no ${method} ${path}.` });
  }
}

const scriptedModelEntry = { type: "model", id: "scripted-model", display_name: "Scripted model", created_at: "2026-01-01T00:00:00Z" };

async function answerModelCall(request: IncomingMessage, response: ServerResponse, stage: Stage): Promise<void> {
  const { value, size } = await readJson(request, maxBodyBytes);
  const parsed = ModelRequest.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return sendError(response, { status: 400, message: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not a model request"}` });
  }
  const body = parsed.data;
  const conversation = readConversation(body);
  stage.log.add({ headers: withoutCredentials(request), body, conversation, ended: endOf(response) }, size);
  const reply = stage.reply(body);
  if (reply === undefined) return sendError(response, { status: 400, message: noTurn(conversation) });
  response.setHeader("x-scripted", "true");
  return sendReply(reply, body, response);
}

function endOf(response: ServerResponse): Promise<"sent" | "abandoned"> {
  return new Promise((resolve) => response.once("close", () => resolve(response.writableFinished ? "sent" : "abandoned")));
}

function withoutCredentials(request: IncomingMessage): IncomingMessage["headers"] {
  const { authorization: _authorization, "x-api-key": _key, cookie: _cookie, ...headers } = request.headers;
  return headers;
}

function noTurn(conversation: Conversation): string {
  const { userTexts, step, lastToolResult, tools } = conversation;
  const said = `message ${userTexts.length} of the user: ${quote(userTexts.at(-1) ?? "")}`;
  const result = lastToolResult === undefined ? "" : `, last result (${lastToolResult.name}): ${quote(lastToolResult.text)}`;
  return `No turn of the script matches. Asked was step ${step} of ${said}${result}. Tools offered: ${tools.join(", ") || "none"}.`;
}

const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const [status, message] =
    error instanceof HallError ? [errorMeanings[error.code].status, error.message] : [500, `The script failed: ${String(error)}`];
  // What is left of a refused body is not read: the connection ends with the answer.
  response.setHeader("connection", "close");
  sendError(response, { status, message });
}

function portOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("The scripted model listens on no port.");
  return address.port;
}
