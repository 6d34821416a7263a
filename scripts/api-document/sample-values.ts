import { z } from "zod";
import type { Route } from "../../src/server/api/route.ts";
import type { JsonSchema } from "./type-words.ts";

/** A request that the hall would take, for an example. What a schema does not tell is told by the name of the field. */
export function sampleRequest({ path, query, body, bodyType }: Route): { path: string; body: unknown } {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => places[name === "id" ? idOf(path) : name] ?? name);
  // What a list is asked for at all is told in its table; an example with every filter would find nothing.
  const asked = query === undefined || !("after" in query.shape) ? "" : "?after=0";
  if (body === undefined) return { path: `${address}${asked}`, body: undefined };
  if (bodyType !== undefined) return { path: address, body: "@context.md" };
  return { path: address, body: sampleOf(z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as JsonSchema, "") };
}

const ulid = "01k2m3n4p5q6r7s8t9v0w1x2y3";

/** Which id `{id}` is, by the collection before it. */
const idOf = (path: string): string =>
  ({ calls: "call", runs: "messageId", approvals: "approval" })[/(\w+)\/\{id\}/.exec(path)?.[1] ?? ""] ?? "session";

/** What stands in an address. */
const places: Readonly<Record<string, string>> = {
  session: `ses_${ulid}`,
  call: `call_${ulid}`,
  messageId: `msg_${ulid}`,
  approval: `apr_${ulid}`,
  member: "example",
  worker: "researcher",
  jobId: "0f3c1d3e-7a51-4a5e-9d3c-2f6f0a4f9b11",
  path: "notes/tides.md",
};

const samples: Readonly<Record<string, unknown>> = {
  ...places,
  name: "tides",
  text: "When is the harbour deep enough?",
  token: "the value of GUILD_HALL_TOKEN",
  tool: "divide",
  input: { dividend: 22, divisor: 8 },
  command: "node",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  description: "Tides of the harbour",
  task: "When is the harbour deep enough for us?",
  question: "Which harbour?",
  answer: "The old one.",
  data: "IyBUaWRlcwo=",
  perDayUsd: 5,
  to: 5,
};

/** Fields that are worth showing although they may be left out. */
const shown: ReadonlySet<string> = new Set(["input", "args"]);

function sampleOf(schema: JsonSchema, name: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (name in samples) return samples[name];
  if (schema.properties !== undefined) {
    const wanted = Object.entries(schema.properties).filter(([field]) => schema.required?.includes(field) === true || shown.has(field));
    // A change of nothing is an example of nothing.
    const fields = wanted.length > 0 ? wanted : Object.entries(schema.properties).slice(0, 1);
    return Object.fromEntries(fields.map(([field, value]) => [field, sampleOf(value, field)]));
  }
  if (schema.type === "array") return name === "args" ? ["server.ts"] : [sampleOf(schema.items ?? {}, "")];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 0;
  return schema.type === "boolean" ? true : "…";
}
