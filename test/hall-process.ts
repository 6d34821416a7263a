import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openedHall, prepareHome, serveWords, shellEnvironment } from "./hall-request.ts";
import type { Hall, HallRequest } from "./hall-request.ts";

export type HallProcess = Hall & {
  process: ChildProcess;
  /** What it printed on stderr so far. */
  said: () => string;
  /** Sends the signal and answers how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

const launcher = join(import.meta.dirname, "../bin/guild-hall.js");

/** `guild-hall serve` as a process of its own, with an empty home unless there is one, no key and the demo model. */
export async function spawnHall(home: string, request: HallRequest = {}): Promise<HallProcess> {
  await prepareHome(home, request);
  const child = spawn(process.execPath, [launcher, ...serveWords(home, request)], {
    // A detached child leads a process group, so that ending it can be checked for what it left behind.
    detached: true,
    // The types of Next want NODE_ENV in every environment, and a new user's shell has none.
    env: { ...shellEnvironment(home, request) } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>; // as Node documents "exit"
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const opened = await Promise.race([firstLine(child), exited.then(() => null)]);
  if (opened === null) throw new Error(`The hall did not open: ${stderr}`);
  return {
    ...openedHall(opened, home, request),
    process: child,
    said: () => stderr,
    async end(signal) {
      child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The hall was started without a pipe for its output.");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string]; // as readline documents "line"
  return line;
}
