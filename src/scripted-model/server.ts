import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { HallError } from "../schema/hall-error.ts";
import { answerRequest } from "./answer-request.ts";
import { playScript } from "./play-script.ts";
import type { ReplyFunction } from "./play-script.ts";
import { createRequestLog } from "./request-log.ts";
import type { RecordedRequest, RequestTest } from "./request-log.ts";
import { checkScript } from "./script.ts";
import type { Script } from "./script.ts";

export type { RecordedRequest, ReplyFunction };

export type ScriptedModelOptions = {
  script: Script | ReplyFunction;
  /** 0, the default, takes any free one. */
  port?: number;
  /** How many calls are kept for looking at, and how many bytes of them. */
  keep?: { count: number; bytes: number };
};

export type ScriptedModel = {
  /** For `ANTHROPIC_BASE_URL`. */
  url: string;
  port: number;
  /** The newest calls of the model, oldest first. Counting tokens and listing models is no call. */
  requests: readonly RecordedRequest[];
  /** The n-th call since the start, or the first kept one that passes the test; waits for it if it has not come yet. */
  waitForRequest(wanted: number | RequestTest): Promise<RecordedRequest>;
  /** Ends answers in flight too. May be called twice. */
  close(): Promise<void>;
};

const maxConnections = 256;

/** A server on loopback that speaks Anthropic's Messages API and answers from a script. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { script, port: wantedPort = 0, keep = { count: 1_000, bytes: 64 * 1024 * 1024 } } = options;
  const reply = typeof script === "function" ? script : playScript(checkScript(script, script.name ?? "without a name"));
  const log = createRequestLog(keep);
  const allowedHosts = new Set<string>();
  const server = createServer((request, response) => void answerRequest(request, response, { reply, log, allowedHosts }));
  server.maxConnections = maxConnections;
  const port = await listen(server, wantedPort);
  for (const name of ["127.0.0.1", "localhost", "[::1]"]) allowedHosts.add(`${name}:${port}`);

  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: log.requests,
    waitForRequest: (wanted) => log.waitFor(wanted),
    close() {
      log.close();
      closing ??= closeServer(server);
      return closing;
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new HallError(
      "port_in_use",
      `The scripted model cannot listen on 127.0.0.1:${port}. Choose another port, or 0 for any free one.`,
      { cause },
    );
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new HallError("internal", "The scripted model listens on no port.");
  return address.port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
