import { createParser } from "eventsource-parser";
import type { EventSourceMessage } from "eventsource-parser";
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, RequestOptions } from "node:http";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { ModelRequest } from "./model-request.ts";
import { startScriptedModel } from "./server.ts";
import type { ScriptedModel, ScriptedModelOptions } from "./server.ts";

/** A model that is closed when the test is over. */
export async function startModel(script: ScriptedModelOptions["script"], keep?: ScriptedModelOptions["keep"]): Promise<ScriptedModel> {
  const model = await startScriptedModel(keep === undefined ? { script } : { script, keep });
  onTestFinished(() => model.close());
  return model;
}

/** A request with one message of the person, and whatever else is given. */
export const asking = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "claude-test",
  max_tokens: 100,
  messages: [{ role: "user", content: text }],
  ...more,
});

/** The conversation after one round of tools. */
export const afterTool = (
  text: string,
  call: { name: string; result: string; isError?: boolean },
  more: Partial<ModelRequest> = {},
): ModelRequest =>
  asking(text, {
    messages: [
      { role: "user", content: text },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: call.name, input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: call.result, is_error: call.isError ?? false }] },
    ],
    ...more,
  });

export const post = (model: ScriptedModel, body: unknown, path = "/v1/messages"): Promise<Response> =>
  fetch(model.url + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const Block = z.looseObject({ type: z.string(), text: z.string().optional(), name: z.string().optional(), input: z.unknown().optional() });
const Answer = z.looseObject({ content: z.array(Block), stop_reason: z.string(), usage: z.record(z.string(), z.number()) });
export type Answer = z.infer<typeof Answer>;

/** The whole answer, without a stream. */
export async function ask(model: ScriptedModel, body: ModelRequest): Promise<Answer> {
  const response = await post(model, body);
  return Answer.parse(await response.json());
}

const Failure = z.object({ type: z.literal("error"), error: z.object({ type: z.string(), message: z.string() }), request_id: z.string() });

export async function failureOf(response: Response): Promise<{ status: number; type: string; message: string }> {
  return { status: response.status, ...Failure.parse(await response.json()).error };
}

const Event = z.looseObject({ type: z.string() });
export type Event = z.infer<typeof Event>;

/** The events of a stream's text; throws on one that is not JSON or whose name is not its type. */
export function eventsIn(stream: string): Event[] {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  parser.feed(stream);
  return messages.map((message) => {
    const event = Event.parse(JSON.parse(message.data));
    if (event.type !== message.event) throw new Error(`The event ${event.type} was announced as ${message.event}.`);
    return event;
  });
}

type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/** A request with exactly these headers, which fetch would not send. */
export function sendRaw(model: ScriptedModel, options: RequestOptions, body: string | Buffer = ""): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port: model.port, agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}
