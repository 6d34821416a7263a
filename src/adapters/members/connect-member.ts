import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { MemberLife, MemberProgram } from "../../core/roster/member-launcher.ts";
import { HallError } from "../../schema/hall-error.ts";
import { isWorker } from "../../schema/manifest.ts";
import { askWorker, workerOffersOf } from "./ask-worker.ts";
import { callTool } from "./call-tool.ts";
import type { ConnectionSteps } from "./connection-steps.ts";
import { reasons } from "./end-reasons.ts";
import { createHttpTransport, untilListening } from "./http-transport.ts";
import { letExitSpeak } from "./let-exit-speak.ts";
import { listTools } from "./list-tools.ts";
import type { ListedTools } from "./list-tools.ts";
import { connectClient } from "./member-client.ts";
import type { MemberProcess } from "./member-process.ts";
import { readPaced, restForLogsMs } from "./read-paced.ts";
import { createStdioTransport } from "./stdio-transport.ts";

export type ConnectRequest = {
  program: MemberProgram;
  process: MemberProcess;
  port: number | null;
  /** What the member was started with, by which it knows us. */
  mark: string;
  version: string;
  callMs: number;
  workerMs: number;
  steps: ConnectionSteps;
  /** Aborted when the member's life is over, with the error that calls then end with. */
  signal: AbortSignal;
  /** What it writes to stdout, where it does not speak MCP there. */
  onOutput(text: string): void;
  /** What it says that is no message, which is often the reason why it never answers. */
  onNonsense(text: string): void;
  onToolsChanged(): void;
  /** The connection is of no more use, for this reason. */
  onLost(reason: string): void;
};

export type MemberConnection = {
  /** As they were when it was connected. */
  tools: ListedTools;
  list(): Promise<ListedTools>;
  call: MemberLife["call"];
  askWorker: MemberLife["askWorker"];
  workerOffers: MemberLife["workerOffers"];
  /** The tools it works on at this moment, and what else it was asked. */
  busyWith(): string[];
};

/** From a process that runs to a member whose tools are known. The connection ends with the signal. */
export async function connectMember(request: ConnectRequest): Promise<MemberConnection> {
  const { process, port, mark, steps, signal } = request;
  const isHttp = request.program.manifest.transport === "http" && port !== null;
  if (isHttp) {
    // Nobody speaks MCP there, but a pipe that nobody reads would hold the member up when it is full.
    readPaced(process.stdout.setEncoding("utf8"), request.onOutput, restForLogsMs);
    await steps.take("listening", `port ${port} on 127.0.0.1`, async () => {
      await untilListening(port, signal);
      return { detail: `port ${port} on 127.0.0.1`, found: null };
    });
  }
  const client = await steps.take("handshake", "initialize", async () => {
    const transport = isHttp ? createHttpTransport({ port, mark, postMs: longestMs(request) }) : createStdioTransport(process);
    const found = await shakeHands(transport, request);
    return { detail: serverOf(found), found };
  });
  const tools = await steps.take("tools", "tools/list", async () => {
    const listed = await listTools(client, signal).catch((error: unknown) => {
      throw new HallError("member_failed", reasons.untold(request.program.name, error), { cause: error });
    });
    return { detail: wordsFor(listed), found: listed };
  });
  return connectionOf(client, tools, request);
}

const longestMs = ({ program, callMs, workerMs }: ConnectRequest): number =>
  isWorker(program.manifest) ? Math.max(callMs, workerMs) : callMs;

async function shakeHands(transport: Transport, request: ConnectRequest): Promise<Client> {
  const { program, version, signal, onNonsense, onToolsChanged, onLost } = request;
  const { name } = program;
  let isOpen = false;
  const onClose = async () => {
    // A handshake that fails closes the connection too, and says why itself.
    if (!isOpen) return;
    await letExitSpeak(signal);
    onLost(reasons.closed(name));
  };
  try {
    const client = await connectClient(transport, {
      version,
      signal,
      onToolsChanged,
      onError: (error) => onNonsense(error.message.toWellFormed()),
      onClose: () => void onClose(),
    });
    isOpen = true;
    signal.addEventListener("abort", () => void client.close(), { once: true });
    return client;
  } catch (error) {
    throw new HallError("member_failed", reasons.unconnected(name, error), { cause: error });
  }
}

function connectionOf(client: Client, tools: ListedTools, request: ConnectRequest): MemberConnection {
  const { program, signal, callMs, workerMs, onLost } = request;
  const busy: string[] = [];
  const shared = { member: program.name, over: signal, onLost };
  async function whileBusy<Answer>(what: string, work: Promise<Answer>): Promise<Answer> {
    busy.push(what);
    try {
      return await work;
    } finally {
      busy.splice(busy.indexOf(what), 1);
    }
  }
  return {
    tools,
    list: () => listTools(client, AbortSignal.any([signal, AbortSignal.timeout(callMs)])),
    call: (tool, input, stop) => whileBusy(tool, callTool(client, { ...shared, tool, input, stop, callMs })),
    askWorker: (method, params, stop) => whileBusy(method, askWorker(client, { ...shared, method, params, stop, workerMs })),
    workerOffers: () => workerOffersOf(client),
    busyWith: () => [...new Set(busy)],
  };
}

function serverOf(client: Client): string {
  const server = client.getServerVersion();
  return server === undefined ? "a server without a name" : `${server.name} ${server.version}`.slice(0, 200).toWellFormed();
}

const mostNamed = 3;

function wordsFor({ tools, leftOut }: ListedTools): string {
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  if (leftOut.length === 0) return count;
  const more = leftOut.length > mostNamed ? ` and ${leftOut.length - mostNamed} more` : "";
  return `${count}, and ${leftOut.length} left out: ${leftOut.slice(0, mostNamed).join("; ")}${more}`;
}
