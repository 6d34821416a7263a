import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";

export type ClientRequest = {
  version: string;
  signal: AbortSignal;
  onToolsChanged(): void;
  /** Something that is no answer to anything. */
  onError(error: Error): void;
  /** The connection is over, whoever ended it. */
  onClose(): void;
};

/** Shakes hands with a member. We offer it nothing: no sampling, no roots, no questions to people. */
export async function connectClient(transport: Transport, request: ClientRequest): Promise<Client> {
  const { version, signal, onToolsChanged, onError, onClose } = request;
  const client = new Client({ name: "guild-hall", version });
  client.onerror = onError;
  client.onclose = onClose;
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  await client.connect(transport, { signal, timeout: never });
  return client;
}

/** Asks a member something. Only the signal ends the wait, so that a member's error is never taken for the end of our patience. */
export const ask = <Schema extends z.ZodType>(
  client: Client,
  request: { method: string; params: Record<string, unknown> },
  schema: Schema,
  signal: AbortSignal,
): Promise<z.infer<Schema>> => client.request(request, schema, { signal, timeout: never });

/** The longest time a timer can be set to, more than three weeks. */
const never = 2 ** 31 - 1;
