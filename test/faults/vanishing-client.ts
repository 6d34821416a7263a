import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "./random.ts";

/** A request as it goes over the wire. Where it has a body, that is never sent to its end. */
export type CutRequest = { method: "GET" | "POST"; path: string; body?: string };

/** A stream may have nothing to say, and who sends hears nothing before the end. */
const mostLooks = 20;

/** Asks, hears a little or sends a part, and is gone: orderly, or as when a cable is pulled. */
export async function vanish(url: string, { method, path, body }: CutRequest, random: Random): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const heard = random.below(6);
  const sent = Math.floor(((body?.length ?? 0) * random.below(100)) / 100);
  const isReset = random.below(2) === 0;
  const socket = connect({ host: hostname, port: Number(port) });
  let pieces = 0;
  socket.on("data", () => (pieces += 1));
  // A hall that ends the connection first is in its right.
  socket.on("error", () => undefined);
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  const length = body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n${length}\r\n${body?.slice(0, sent) ?? ""}`);
  for (let looks = 0; looks < mostLooks && pieces < heard && !socket.destroyed; looks += 1) await pause(5);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
}
