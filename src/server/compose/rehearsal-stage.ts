import { dirname, join } from "node:path";
import { findBackend } from "../../adapters/agent/backend.ts";
import { copyForRehearsal } from "../../adapters/files/members/rehearsal-copy.ts";
import type { MemberRecords } from "../../adapters/members/launcher-deps.ts";
import { createMemberLauncher } from "../../adapters/members/member-launcher.ts";
import type { MemberLauncher, MemberLife, MemberProgram } from "../../core/roster/member-launcher.ts";
import { createStderrTail } from "../../core/roster/stderr-tail.ts";
import { createWorkerHandle } from "../../core/worker/create-worker-handle.ts";
import type { WorkerHandle } from "../../core/worker/worker-handle.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { Script } from "../../scripted-model/script.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import type { ScriptedModel } from "../../scripted-model/server.ts";
import type { Closer } from "./parts.ts";

type StageRequest = {
  program: MemberProgram;
  script: Script;
  env: NodeJS.ProcessEnv;
  version: string;
  signal: AbortSignal;
  onProgress(text: string): void;
};

export type Stage = {
  worker: WorkerHandle;
  model: ScriptedModel;
  /** What is new or different in the member's folder. */
  changes(): Promise<string[]>;
  /** Resolves when all its processes are gone. */
  endMember(): Promise<void>;
  close(): Promise<void>;
};

const project = join(import.meta.dirname, "../../..");

/** The scripted model and the member, alone in a home of their own, connected as in a hall. */
export async function openStage({ program, script, env, version, signal, onProgress }: StageRequest): Promise<Stage> {
  const closers: Closer[] = [];
  const close = async () => {
    for (const each of closers.splice(0).toReversed()) await each();
  };
  try {
    const model = await startScriptedModel({ script });
    closers.push(model.close);
    const copy = await copyForRehearsal(program.folder, program.name, project);
    closers.push(copy.remove);
    const { layout } = copy;
    // As in the demo of a hall: nothing of a person's own model is looked at.
    const { childEnv } = await findBackend({ env: {}, userHome: layout.home, demoUrl: model.url });
    const launcher = createMemberLauncher({
      limits: { startsAtOnce: 1, handshakeMs: 20_000, callMs: 120_000 },
      version,
      hostEnv: env,
      nodeFolder: dirname(process.execPath),
      modelEnv: () => childEnv,
      homeOf: layout.memberHome,
      records: nothingToRemember,
      now: () => new Date().toISOString(),
      onProblem: (error) => onProgress(error instanceof Error ? error.message : String(error)),
    });
    const { life, connected } = launch(launcher, { ...program, folder: copy.folder }, onProgress);
    closers.push(life.end);
    await orLeft(connected, signal);
    const worker = createWorkerHandle({ member: program.name, ask: life.askWorker, offers: life.workerOffers });
    return { worker, model, changes: copy.changes, endMember: life.end, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Launched = { life: MemberLife; connected: Promise<void> };

/** What a member says when it goes down is often the only hint at why. */
function launch(launcher: MemberLauncher, program: MemberProgram, onProgress: (text: string) => void): Launched {
  const stderr = createStderrTail();
  const connected = Promise.withResolvers<void>();
  const life = launcher.launch(program, {
    onStep: () => undefined,
    onSpawn: () => undefined,
    onStderr: stderr.add,
    onTools: () => connected.resolve(),
    onEnded(reason) {
      if (reason === null) return;
      const { text } = stderr.read();
      if (text !== "") onProgress(text.trimEnd());
      connected.reject(new HallError("member_failed", reason));
    },
  });
  return { life, connected: connected.promise };
}

async function orLeft(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** A rehearsal has no next life that would have to find what this one left. */
const nothingToRemember: MemberRecords = {
  begin: async () => undefined,
  identify: async () => undefined,
  remove: async () => undefined,
  leftBehind: async () => [],
};
