import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createHallClient } from "../src/client/hall-client.ts";
import type { HallClient } from "../src/client/hall-client.ts";
import { nodeEnvironment } from "./counted-process.ts";
import { removeBundledMembers } from "./remove-bundled-members.ts";

export type HallProcess = {
  url: string;
  home: string;
  client: HallClient;
  process: ChildProcess;
  /** What it printed on stderr so far. */
  said: () => string;
  /** Sends the signal and answers how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

export type HallRequest = {
  env?: Record<string, string>;
  flags?: string[];
  /** Written as config.yaml before the start. */
  config?: string;
  /** Without the members that come with it, or with one of them: they take as long to start as the hall does. */
  bundled?: false | "example" | "researcher";
  /** Without agents that wait for the next message of a session that is looked at, where nobody speaks or nobody is in a hurry. */
  waiting?: false;
};

const launcher = join(import.meta.dirname, "../bin/guild-hall.js");

/** `guild-hall serve` as a process of its own, with an empty home unless there is one, no key and the demo model. */
export async function spawnHall(
  folder: string,
  { env = {}, flags = [], config, bundled, waiting }: HallRequest = {},
): Promise<HallProcess> {
  if (bundled !== undefined) await removeBundledMembers(folder, bundled === false ? undefined : bundled);
  const settings = `${waiting === false ? "runs:\n  waiting: 0\n" : ""}${config ?? ""}`;
  if (settings !== "") {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "config.yaml"), settings);
  }
  const child = spawn(process.execPath, [launcher, "serve", "--port", "0", "--home", folder, "--json", ...flags], {
    // A detached child leads a process group, so that ending it can be checked for what it left behind.
    detached: true,
    env: { ...bareEnvironment(folder), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>; // as Node documents "exit"
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const opened = await Promise.race([firstLine(child), exited.then(() => null)]);
  if (opened === null) throw new Error(`The hall did not open: ${stderr}`);
  const { url } = JSON.parse(opened) as { url?: string }; // what `serve --json` prints: where it is open, or what went wrong
  if (url === undefined) throw new Error(`The hall did not open: ${opened}`);
  const token = env["GUILD_HALL_TOKEN"];
  return {
    url,
    home: folder,
    client: createHallClient({ baseUrl: url, ...(token === undefined ? {} : { token }) }),
    process: child,
    said: () => stderr,
    async end(signal) {
      child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}

/** What a new user's shell would have. Spread, because the types of Next want NODE_ENV in every environment. */
const bareEnvironment = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ...unset(process.env),
  PATH: process.env["PATH"],
  ...nodeEnvironment(),
  HOME: home,
});

const unset = (env: NodeJS.ProcessEnv) => Object.fromEntries(Object.keys(env).map((name) => [name, undefined]));

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The hall was started without a pipe for its output.");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string]; // as readline documents "line"
  return line;
}
