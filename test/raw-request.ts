import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

type RawRequest = { method?: string; path?: string; headers?: Record<string, string | string[]>; body?: string };

/** A request exactly as written: no normalised path, no Host of our own, nothing a friendly client would add. */
export function rawRequest(url: string, { method = "GET", path = "/", headers = {}, body }: RawRequest = {}): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { host, ...headers }, setHost: false, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
