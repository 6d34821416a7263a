import { once } from "node:events";
import type { MemberLife, MemberProgram, MemberWatch } from "../../core/roster/member-launcher.ts";
import { HallError } from "../../schema/hall-error.ts";
import { startAwakeTimer } from "../awake-timer.ts";
import type { DeathSignal } from "../processes/death-signal.ts";
import type { FairQueue } from "../../core/fair-queue.ts";
import { connectMember } from "./connect-member.ts";
import type { MemberConnection } from "./connect-member.ts";
import { createConnectionSteps } from "./connection-steps.ts";
import { reasons } from "./end-reasons.ts";
import { followTools } from "./follow-tools.ts";
import type { FreePorts } from "./free-ports.ts";
import type { MemberLauncherDeps } from "./launcher-deps.ts";
import { letExitSpeak } from "./let-exit-speak.ts";
import type { ListedTools } from "./list-tools.ts";
import { needsPort } from "./member-environment.ts";
import type { MemberProcess } from "./member-process.ts";
import { newMark } from "../processes/mark.ts";
import type { ProcessFamilies, ProcessFamily } from "../processes/process-families.ts";
import { spawnMember } from "./spawn-member.ts";

export type LifeParts = MemberLauncherDeps & { starts: FairQueue; ports: FreePorts; families: ProcessFamilies; deathSignal: DeathSignal };

/** Starting costs the processor's time, of which turns keep a share for the hall. One that is still not there after this only waits. */
const turnMs = 3000;

/** One life of one member, from its turn to start until the last of its processes is gone. */
export function startLife(program: MemberProgram, watch: MemberWatch, parts: LifeParts): MemberLife {
  const { name, manifest } = program;
  const { limits, records, ports } = parts;
  const mark = newMark(name);
  const steps = createConnectionSteps(manifest.transport, watch.onStep);
  /** Aborted once, by whatever ends the life first. */
  const over = new AbortController();
  const { signal } = over;
  let why: string | null = null;
  let process: MemberProcess | null = null;
  let connection: MemberConnection | null = null;
  let lastSeen: Promise<ProcessFamily> | null = null;

  const finish = (reason: string | null): void => {
    if (signal.aborted) return;
    why = reason;
    steps.fail(reason ?? reasons.stopped(name));
    over.abort(new HallError("member_unavailable", reason ?? reasons.stopped(name)));
  };
  const findFamily = () => parts.families.find({ mark, group: process?.pid ?? null, isLed: process?.isRunning() ?? false });
  const connected = Promise.withResolvers<MemberConnection>();
  const tell = (listed: ListedTools) => watch.onTools(listed.tools, listed.leftOut);
  const tools = followTools({
    list: async () => (await connected.promise).list(),
    onTools: tell,
    onProblem: parts.onProblem,
    signal,
  });

  async function rise(port: number | null): Promise<void> {
    const { handshakeMs: ms, callMs, workerMs = 30_000 } = limits;
    let nonsense: string | null = null;
    const isLate = () => finish(reasons.late({ name, command: manifest.mcp.command, port, step: steps.current(), ms, nonsense }));
    const stopClock = startAwakeTimer(ms, isLate);
    try {
      const spawned = await spawnMember({ program, port, mark, steps, signal, watch, parts });
      process = spawned;
      void spawned.exited.then((how) => finish(reasons.exited(name, how, connection?.busyWith() ?? null)));
      const { version } = parts;
      const onNonsense = (text: string) => (nonsense ??= text);
      const hears = { onOutput: watch.onStderr, onNonsense, onToolsChanged: tools.changed, onLost: finish };
      const found = await connectMember({ program, process: spawned, port, mark, version, callMs, workerMs, steps, signal, ...hears });
      signal.throwIfAborted();
      connection = found;
      connected.resolve(found);
      tell(found.tools);
    } finally {
      stopClock();
    }
  }

  /** Starts it when it is its turn, and gives the turn on when it is connected or will not be, or not soon. */
  async function riseInTurn(): Promise<void> {
    const giveTurnOn = await parts.starts.acquire(name, signal);
    const turn = setTimeout(giveTurnOn, turnMs);
    let port: number | null = null;
    try {
      port = needsPort(manifest) ? await ports.take() : null;
      await rise(port);
    } finally {
      if (port !== null) ports.giveBack(port);
      clearTimeout(turn);
      giveTurnOn();
    }
  }

  async function live(): Promise<void> {
    await riseInTurn().catch(async (error: unknown) => {
      if (process !== null) await letExitSpeak(signal);
      finish(reasons.failed(name, error));
    });
    if (!signal.aborted) await once(signal, "abort");
    const family = await (lastSeen ?? findFamily());
    await process?.end();
    await parts.families.end(family);
    await records.remove(name);
  }

  function mustBeConnected(therefore: string): MemberConnection {
    if (connection !== null && !signal.aborted) return connection;
    throw new HallError("member_unavailable", `${name} is not connected, so ${therefore}.`);
  }

  const ended = live()
    .catch(parts.onProblem)
    .then(() => watch.onEnded(why));

  return {
    call: async (tool, input, stop) => mustBeConnected(`${tool} cannot be called`).call(tool, input, stop),
    askWorker: async (method, params, stop) => mustBeConnected(`it cannot be asked ${method}`).askWorker(method, params, stop),
    workerOffers: () => connection?.workerOffers() ?? { events: false, artifacts: false },
    async end() {
      // Its stdin closes with the connection, at which a member goes, and with it the way to those it started.
      if (process !== null && !signal.aborted) await (lastSeen ??= findFamily());
      finish(null);
      await ended;
    },
  };
}
