import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { MemberLife, MemberProgram, MemberWatch } from "../../core/roster/member-launcher.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { FairQueue } from "../fair-queue.ts";
import { callTool } from "./call-tool.ts";
import { createConnectionSteps } from "./connection-steps.ts";
import type { FreePorts } from "./free-ports.ts";
import { createHttpTransport, untilListening } from "./http-transport.ts";
import { listTools } from "./list-tools.ts";
import type { MarkedProcesses } from "./marked-processes.ts";
import { connectClient } from "./member-client.ts";
import { memberEnvironment, needsPort, withPort } from "./member-environment.ts";
import type { MemberLauncherDeps } from "./member-launcher.ts";
import { startProcess } from "./member-process.ts";
import type { MemberProcess } from "./member-process.ts";
import { createStdioTransport } from "./stdio-transport.ts";

export type LifeParts = MemberLauncherDeps & { starts: FairQueue; ports: FreePorts; marked: MarkedProcesses };

/** One life of one member, from its turn to start until the last of its processes is gone. */
export function startLife(program: MemberProgram, watch: MemberWatch, parts: LifeParts): MemberLife {
  const { name, manifest } = program;
  const { limits, records, ports } = parts;
  const mark = `${name}:${randomUUID()}`;
  const steps = createConnectionSteps(manifest.transport, watch.onStep);
  /** Aborted once, by whatever ends the life first. */
  const over = new AbortController();
  let why: string | null = null;
  let client: Client | null = null;
  let process: MemberProcess | null = null;

  const finish = (reason: string | null): void => {
    if (over.signal.aborted) return;
    why = reason;
    if (reason !== null) steps.fail(reason);
    over.abort();
  };

  async function start(port: number | null): Promise<MemberProcess> {
    const folders = { home: parts.homeOf(name), temporary: join(parts.homeOf(name), "tmp") };
    await mkdir(folders.temporary, { recursive: true, mode: 0o700 });
    const startedAt = parts.now();
    await records.begin(name, { mark, port, startedAt });
    over.signal.throwIfAborted();
    const { command, args } = manifest.mcp;
    const filled = args.map((arg) => withPort(arg, port));
    const request = {
      command,
      args: filled,
      folder: program.folder,
      env: memberEnvironment({
        manifest,
        host: parts.hostEnv,
        nodeFolder: parts.nodeFolder,
        folders,
        modelEnv: parts.modelEnv(),
        port,
        mark,
      }),
    };
    return steps.take("spawned", [command, ...filled].join(" "), async () => {
      const started = await startProcess(request, watch.onStderr);
      process = started;
      void started.exited.then((how) => finish(`${name} ended by itself, with ${how}${whileDoing(steps.current())}.`));
      watch.onSpawn(startedAt);
      await records.identify(name, started.pid);
      return { detail: `${[command, ...filled].join(" ")} (process ${started.pid})`, found: started };
    });
  }

  async function connect({ stdin, stdout }: MemberProcess, port: number | null): Promise<void> {
    const { signal } = over;
    if (manifest.transport === "http" && port !== null) {
      await steps.take("listening", `waiting for port ${port}`, async () => {
        await untilListening(port, signal);
        return { detail: `port ${port} on 127.0.0.1`, found: null };
      });
    }
    const transport =
      manifest.transport === "http" && port !== null ? createHttpTransport(port, limits.callMs) : createStdioTransport({ stdin, stdout });
    const connected = await steps.take("handshake", "waiting for the answer to initialize", async () => {
      const found = await connectClient(transport, {
        version: parts.version,
        signal,
        onToolsChanged: () => undefined,
        onClose: () => finish(`${name} closed the connection${whileDoing(steps.current())}.`),
        onError: () => undefined,
      });
      const server = found.getServerVersion();
      return { detail: `${server?.name ?? "a server without a name"} ${server?.version ?? ""}`.trim(), found };
    });
    const tools = await steps.take("tools", "waiting for the list of tools", async () => {
      const listed = await listTools(connected, signal);
      return { detail: `${listed.tools.length} tools`, found: listed.tools };
    });
    client = connected;
    watch.onTools(tools);
  }

  async function rise(): Promise<void> {
    const giveRoomBack = await parts.starts.acquire(name, over.signal);
    let clock: NodeJS.Timeout | undefined;
    let port: number | null = null;
    try {
      port = needsPort(manifest) ? await ports.take() : null;
      const started = await start(port);
      clock = setTimeout(() => finish(tooLate(name, steps.current(), limits.handshakeMs)), limits.handshakeMs);
      await connect(started, port);
    } finally {
      clearTimeout(clock);
      if (port !== null) ports.giveBack(port);
      giveRoomBack();
    }
  }

  async function live(): Promise<void> {
    await rise().catch((error: unknown) => finish(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`));
    if (!over.signal.aborted) await new Promise<void>((resolve) => over.signal.addEventListener("abort", () => resolve(), { once: true }));
    await client?.close();
    await process?.end();
    await parts.marked.endAll(mark);
    await records.remove(name).catch(parts.onProblem);
    watch.onEnded(why);
  }

  const ended = live();
  return {
    call(tool, input, signal) {
      if (client === null || over.signal.aborted) {
        return Promise.reject(new HallError("member_unavailable", `${name} is not connected, so ${tool} cannot be called.`));
      }
      return callTool(client, { member: name, tool, input, signal, callMs: limits.callMs });
    },
    async end() {
      finish(null);
      await ended;
    },
  };
}

const whileDoing = (step: string | null): string => (step === null ? "" : ` while the hall waited for it (${step})`);

const tooLate = (name: string, step: string | null, ms: number): string =>
  `${name} was not ready within ${ms / 1000} s${whileDoing(step)}.`;
