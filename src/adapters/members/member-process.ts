import { once } from "node:events";
import { access } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { HallError } from "../../schema/hall-error.ts";
import { startChild } from "../processes/child.ts";
import type { Child } from "../processes/child.ts";
import type { DeathSignal } from "../processes/death-signal.ts";
import { endChild } from "../processes/end-child.ts";
import { findProgram } from "../processes/find-program.ts";
import { waitAtMost } from "../processes/wait-at-most.ts";
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

/** Starts a program as a child of the hall. Rejects with a sentence if it cannot be started. */
export async function startProcess(request: ProcessRequest, onStderr: (text: string) => void): Promise<MemberProcess> {
  const child = await startOrExplain(request);
  const { pid } = child;
  const { stdin, stdout, stderr } = child.process;
  readPaced(stderr.setEncoding("utf8"), onStderr, restForLogsMs);
  const silent = new Promise((resolve) => stderr.once("close", resolve));
  const isRunning = () => child.exit() === null;
  // Its last words often come a moment after it, and say why it went.
  const exited = child
    .gone()
    .then(() => waitAtMost(lastWordsMs, silent))
    .then(() => wordsOf(child));
  return {
    pid,
    stdin,
    stdout,
    isRunning,
    exited,
    async end() {
      if (isRunning()) await endChild(child, [{ ask: () => child.kill("SIGTERM"), ms: graceMs }]);
      await exited;
    },
  };
}

function wordsOf(child: Child): string {
  const { code = null, signal = null } = child.exit() ?? {};
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** Some failures are thrown, others are reported later as an error. */
async function startOrExplain(request: ProcessRequest): Promise<Child & { pid: number }> {
  const { args, folder, env, mark } = request;
  let failure: unknown;
  try {
    const child = startChild({ program: await programOf(request), args, folder, env, mark, deathSignal: await request.deathSignal() });
    const { pid } = child;
    if (pid !== undefined) return { ...child, pid };
    [failure] = (await once(child.process, "error")) as [Error]; // as Node documents "error"
  } catch (error) {
    failure = error;
  }
  throw await startFailure(request, failure);
}

/** On Linux it is looked up first, so that a missing one fails as itself. */
const programOf = async ({ command, folder, env }: ProcessRequest): Promise<string> =>
  process.platform === "linux" ? findProgram(command, folder, env) : command;

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
