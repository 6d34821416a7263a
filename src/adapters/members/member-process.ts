import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { HallError } from "../../schema/hall-error.ts";
import type { DeathSignal } from "../death-signal.ts";
import { findProgram } from "../find-program.ts";
import { signalGroup } from "../process-group.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { withLockLimit } from "./lock-limit.ts";
import type { Variables } from "./member-environment.ts";
import { readPaced, restForLogsMs } from "./read-paced.ts";

export type MemberProcess = {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  isRunning(): boolean;
  /** How it went, in words. Resolves when the process is gone; the others of its group have been killed then. */
  exited: Promise<string>;
  /** Resolves when the process is gone. It may take its time to tidy up, but not for long. */
  end(): Promise<void>;
};

export type ProcessRequest = {
  command: string;
  args: readonly string[];
  folder: string;
  env: Variables;
  /** Tells its processes from all others. */
  mark: string;
  deathSignal: DeathSignal;
};

/** How long a process may tidy up before it is killed. */
const graceMs = 2000;
const lastWordsMs = 500;

/** Starts a program at the head of a process group of its own. Rejects with a sentence where it cannot be started. */
export async function startProcess(request: ProcessRequest, onStderr: (text: string) => void): Promise<MemberProcess> {
  const child = await spawnOrExplain(request);
  readPaced(child.stderr.setEncoding("utf8"), onStderr, restForLogsMs);
  // Writing to a process that has just died fails here; its exit says all there is to say.
  child.stdin.on("error", () => undefined);
  const silent = new Promise((resolve) => child.stderr.once("close", resolve));
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      signalGroup(child.pid, "SIGKILL");
      // Its last words often come a moment after it, and say why it went.
      void waitAtMost(lastWordsMs, silent).then(() => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    });
  });
  const { pid, stdin, stdout } = child;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    stdin,
    stdout,
    isRunning,
    exited,
    async end() {
      if (!isRunning()) return void (await exited);
      signalGroup(pid, "SIGTERM");
      await waitAtMost(graceMs, exited);
      if (isRunning()) signalGroup(pid, "SIGKILL");
      await exited;
    },
  };
}

/** Some failures are thrown and some are told later; with the latter, there may be no pipes to touch. */
async function spawnOrExplain(request: ProcessRequest): Promise<ChildProcessWithoutNullStreams & { pid: number }> {
  const { folder, env } = request;
  let failure: unknown;
  try {
    const { command, args } = await marked(request);
    const child = spawn(command, args, {
      cwd: folder,
      env: env as NodeJS.ProcessEnv, // Next's types want NODE_ENV in every environment; a member does without
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
    const { pid } = child;
    if (pid !== undefined) return Object.assign(child, { pid });
    [failure] = (await once(child, "error")) as [Error]; // as Node documents "error"
  } catch (error) {
    failure = error;
  }
  throw await startFailure(request, failure);
}

/** The command as Linux starts it: killed with the hall, and known by its limit. The program is looked up first, so that a missing one fails as itself. */
async function marked({
  command,
  args,
  folder,
  env,
  mark,
  deathSignal,
}: ProcessRequest): Promise<Pick<ProcessRequest, "command" | "args">> {
  if (process.platform !== "linux") return { command, args };
  const program = await findProgram(command, folder, env);
  const [first, ...rest] = [...(await deathSignal()), ...withLockLimit(program, args, mark)];
  return { command: first ?? program, args: rest };
}

async function startFailure({ command, folder }: ProcessRequest, error: unknown): Promise<HallError> {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const hasFolder = await access(folder).then(
    () => true,
    () => false,
  );
  const sentence = hasFolder
    ? (startFailures[code] ?? `could not be started (${code}). Check the command in guild-member.json.`)
    : `could not be started, because its folder ${folder} is gone.`;
  return new HallError("member_failed", `The program ${command} ${sentence}`, { cause: error });
}

const startFailures: Partial<Record<string, string>> = {
  ENOENT: "was not found. Install it, or write its full path into guild-member.json.",
  EACCES: "may not be executed. Make it executable (chmod +x), or start it through its interpreter in guild-member.json.",
  ENOEXEC: "is not a program this machine can run. Start it through its interpreter in guild-member.json.",
  E2BIG: "could not be started, because its arguments and variables are too long together. Shorten them in guild-member.json.",
  EMFILE: "could not be started, because the hall has too many files open. End something, or raise the limit (ulimit -n).",
  EAGAIN: "could not be started, because this user has too many processes. End something, or raise the limit (ulimit -u).",
};
