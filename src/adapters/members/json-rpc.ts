import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

/**
 * A message, or null for what is none. What is far from one is seen by hand: the SDK's schema takes a fifth of a
 * millisecond to say no, and a member that talks nonsense asks that of us tens of thousands of times a second.
 */
export function readMessage(value: unknown): JSONRPCMessage | null {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return null;
  if (!["method", "result", "error"].some((key) => key in value)) return null;
  return JSONRPCMessageSchema.safeParse(value).data ?? null;
}

/** The request that a value answers, if it looks like an answer at all. */
export function answeredId(value: unknown): RequestId | null {
  return isObject(value) && !("method" in value) ? idOf(value) : null;
}

/** A message that was too long to read names its request at its beginning or its end, depending on who wrote it. Our ids are numbers. */
export function idsAtEdges({ head, tail }: { head: string; tail: string }): number[] {
  return [lastId.exec(tail)?.[1], firstId.exec(head)?.[1]].flatMap((found) => (found === undefined ? [] : [Number(found)]));
}

const firstId = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/;
const lastId = /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const idOf = ({ id }: Record<string, unknown>): RequestId | null => (typeof id === "number" || typeof id === "string" ? id : null);
