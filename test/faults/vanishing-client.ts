import { once } from "node:events";
import { connect } from "node:net";
import type { Random } from "./random.ts";

/** A request as it goes over the wire. Where it has a body, that is never sent to its end. */
export type CutRequest = { method: "GET" | "POST"; path: string; body?: string };

/** Asks, hears a little or sends a part, and is gone: orderly, or as when a cable is pulled. */
export async function vanish(url: string, { method, path, body }: CutRequest, random: Random): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const heard = random.below(6);
  const sent = Math.floor(((body?.length ?? 0) * random.below(100)) / 100);
  const isReset = random.below(2) === 0;
  const socket = connect({ host: hostname, port: Number(port) });
  // A hall that ends the connection first is in its right.
  socket.on("error", () => undefined);
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  const length = body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n${length}\r\n${body?.slice(0, sent) ?? ""}`);
  for (let pieces = 0; pieces < heard && body === undefined && !socket.destroyed; pieces += 1)
    await Promise.race([once(socket, "data"), once(socket, "close")]);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
}
