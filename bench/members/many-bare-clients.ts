import type { Transport } from "../../src/schema/manifest.ts";
import { timed } from "../timed.ts";
import { connectBare } from "./bare-client.ts";
import type { BareClient } from "./bare-client.ts";

/** As many as a hall lets start up at the same time. */
const startsAtOnce = 4;

/** Starts and connects so many by the SDK's client alone, and closes all of them together. */
export async function manyBareClients(transports: readonly Transport[]): Promise<{ upMs: number; stopMs: number }> {
  const waiting = [...transports];
  const clients: BareClient[] = [];
  const inTurn = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) clients.push(await connectBare[next]());
  };
  const upMs = await timed(() => Promise.all(Array.from({ length: startsAtOnce }, inTurn)));
  const stopMs = await timed(() => Promise.all(clients.map((client) => client.close())));
  return { upMs, stopMs };
}
