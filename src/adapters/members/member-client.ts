import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";

export type ClientWatch = {
  onToolsChanged(): void;
  /** The connection is over, whoever ended it. */
  onClose(): void;
  onError(error: Error): void;
};

/** Shakes hands with a member. We offer it nothing: no sampling, no roots, no questions to people. */
export async function connectClient(
  transport: Transport,
  { version, signal, ...watch }: ClientWatch & { version: string; signal: AbortSignal },
): Promise<Client> {
  const client = new Client({ name: "guild-hall", version });
  client.onerror = watch.onError;
  client.onclose = watch.onClose;
  client.setNotificationHandler(ToolListChangedNotificationSchema, watch.onToolsChanged);
  await client.connect(transport, { signal, timeout: never });
  return client;
}

/** Asks a member something. Only the signal ends the wait, so that a member's error is never taken for the end of our patience. */
export const ask = <Schema extends z.ZodType>(
  client: Client,
  request: { method: string; params?: Record<string, unknown> },
  schema: Schema,
  signal: AbortSignal,
): Promise<z.infer<Schema>> => client.request(request, schema, { signal, timeout: never });

/** The longest time a timer can be set to, three weeks. */
const never = 2 ** 31 - 1;
