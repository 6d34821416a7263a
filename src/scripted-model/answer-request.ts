import type { IncomingMessage, ServerResponse } from "node:http";
import { judgeRequest } from "../core/guard/judge-request.ts";
import { errorMeanings } from "../schema/error-code.ts";
import { HallError } from "../schema/hall-error.ts";
import { newRequestId, sendError } from "./api-error.ts";
import type { Conversation } from "./conversation.ts";
import { readConversation } from "./conversation.ts";
import { estimateTokens } from "./message-stream.ts";
import { ModelRequest } from "./model-request.ts";
import type { ReplyFunction } from "./play-script.ts";
import { readJson } from "./read-json.ts";
import type { RequestLog } from "./request-log.ts";
import type { ReplyEnd } from "./send-reply.ts";
import { sendReply } from "./send-reply.ts";

export type Stage = { reply: ReplyFunction; log: RequestLog; allowedHosts: ReadonlySet<string> };

const maxBodyBytes = 16 * 1024 * 1024;

/** The door of the server: guards, routes, and turns every failure into an answer. */
export async function answerRequest(request: IncomingMessage, response: ServerResponse, stage: Stage): Promise<void> {
  try {
    await route(request, response, stage);
  } catch (error) {
    refuse(response, error);
  }
}

async function route(request: IncomingMessage, response: ServerResponse, stage: Stage): Promise<void> {
  const { method = "", url = "", headers } = request;
  // Every answer counts as a stream: no page of any site has business here, not even to read.
  judgeRequest({ method, target: url, headers, isStream: true }, { allowedHosts: stage.allowedHosts });
  const path = url.split("?", 1)[0] ?? "";
  switch (`${method} ${path}`) {
    case "POST /v1/messages":
      return answerCall(request, response, stage);
    case "POST /v1/messages/count_tokens":
      return sendJson(response, { input_tokens: estimateTokens((await readJson(request, maxBodyBytes)).value) });
    case "GET /v1/models":
      return sendJson(response, { data: [modelEntry], has_more: false, first_id: modelEntry.id, last_id: modelEntry.id });
    case "GET /":
    case "HEAD /":
      return sendJson(response, { name: modelEntry.display_name });
    default:
      return sendError(response, { status: 404, message: `The scripted model has no ${method} ${path}.` });
  }
}

const modelEntry = { type: "model", id: "scripted-model", display_name: "Scripted model", created_at: "2026-01-01T00:00:00Z" };

async function answerCall(request: IncomingMessage, response: ServerResponse, stage: Stage): Promise<void> {
  const { value, size } = await readJson(request, maxBodyBytes);
  const parsed = ModelRequest.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new HallError("bad_request", `${issue?.path.join(".") ?? "body"}: ${issue?.message ?? "not a call of the model"}`, {
      cause: parsed.error,
    });
  }
  const body = parsed.data;
  const conversation = readConversation(body);
  const ended = Promise.withResolvers<ReplyEnd>();
  stage.log.add({ headers: withoutCredentials(request), body, conversation, ended: ended.promise }, size);
  try {
    const reply = stage.reply(body) ?? { error: { status: 400, message: noTurnMatches(conversation) } };
    response.setHeader("request-id", newRequestId());
    ended.resolve(await sendReply(reply, body, response));
  } finally {
    // For a script that threw, which is answered as an error; after the line above it changes nothing.
    ended.resolve("sent");
  }
}

function withoutCredentials(request: IncomingMessage): IncomingMessage["headers"] {
  const { authorization: _authorization, "x-api-key": _key, cookie: _cookie, ...headers } = request.headers;
  return headers;
}

function noTurnMatches({ userTexts, step, toolResults, tools }: Conversation): string {
  const results = toolResults.map((result) => `; result of ${result.name}: ${quote(result.text)}`).join("");
  const asked = `step ${step} after the user's message ${userTexts.length}, ${quote(userTexts.at(-1) ?? "")}${results}`;
  return `No turn of the script matches. Asked was: ${asked}. Tools offered: ${tools.join(", ") || "none"}.`;
}

const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json", "request-id": newRequestId() }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  // What is left of a refused body is not read: the connection ends with the answer.
  response.setHeader("connection", "close");
  if (error instanceof HallError) return sendError(response, { status: errorMeanings[error.code].status, message: error.message });
  sendError(response, { status: 500, message: `The script failed: ${error instanceof Error ? error.message : String(error)}` });
}
