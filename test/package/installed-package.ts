import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { linkPackages } from "./link-packages.ts";

const run = promisify(execFile);

export type InstalledPackage = {
  tarball: Tarball;
  /** Where npm put it. */
  folder: string;
  /** Where its hall keeps everything. */
  home: string;
  /** Runs the launcher on the Node of the machine, whatever its version. */
  guildHall(...args: string[]): Promise<{ stdout: string; stderr: string }>;
  serve(): Promise<ServedPackage>;
  remove(): Promise<void>;
};

export type ServedPackage = {
  url: string;
  /** Sends a signal to the hall itself and answers how the command that started it ended. */
  stop(signal: NodeJS.Signals): Promise<{ code: unknown; signal: unknown }>;
};

/** Sizes are in bytes. */
export type Tarball = { path: string; size: number; files: { path: string; size: number }[] };

/** Packs the checkout and installs the result in an empty folder, as a person with an empty home folder would. */
export async function installPackage(repository: string): Promise<InstalledPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-package-")));
  const at = { packed: join(folder, "packed"), app: join(folder, "app"), home: join(folder, "home") };
  await Promise.all(Object.values(at).map((path) => mkdir(path)));
  const env = bareMachine(at.home);
  const [tarball] = await Promise.all([pack(repository, at.packed, env), linkPackages(repository, at.app)]);
  await run("npm", ["install", "--no-audit", "--no-fund", tarball.path], { cwd: at.app, env });
  const installed = join(at.app, "node_modules/guild-hall");
  const launcher = join(installed, "bin/guild-hall.js");
  return {
    tarball,
    folder: installed,
    home: join(at.home, ".guild-hall"),
    guildHall: (...args) => run("node", [launcher, ...args], { cwd: at.app, env }),
    serve: () => serve(at.app, env),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The machine as a person has it: without what the checkout or the test runner put in front of it. */
function bareMachine(home: string): NodeJS.ProcessEnv {
  const { PATH = "", TMPDIR, npm_config_cache: cache, npm_config_userconfig: userConfig } = process.env;
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS } = process.env;
  const bare: Record<string, string | undefined> = {
    HTTP_PROXY,
    HTTPS_PROXY,
    NO_PROXY,
    NODE_EXTRA_CA_CERTS,
    PATH: PATH.split(delimiter)
      .filter((part) => !part.includes("node_modules"))
      .join(delimiter),
    TMPDIR,
    HOME: home,
    // Though the home folder is empty, packages come from where this machine gets them, the cache first.
    npm_config_cache: cache ?? join(homedir(), ".npm"),
    npm_config_userconfig: userConfig ?? join(homedir(), ".npmrc"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
  };
  return bare as NodeJS.ProcessEnv; // Next's types want a NODE_ENV, which a person's shell does not have
}

const PackedFile = z.object({ path: z.string(), size: z.int() });
const Packed = z.tuple([z.object({ filename: z.string(), size: z.int(), files: z.array(PackedFile) })]);

async function pack(repository: string, destination: string, env: NodeJS.ProcessEnv): Promise<Tarball> {
  const { stdout } = await run("npm", ["pack", "--json", "--silent", "--pack-destination", destination], {
    cwd: repository,
    env,
    maxBuffer: 2 ** 24,
  });
  // What `prepack` prints comes before the document.
  const [{ filename, ...contents }] = Packed.parse(JSON.parse(stdout.slice(stdout.indexOf("[\n"))));
  return { path: join(destination, filename), ...contents };
}

const serving = ["guild-hall", "serve", "--port", "0", "--json"];

async function serve(app: string, env: NodeJS.ProcessEnv): Promise<ServedPackage> {
  const command = spawn("npx", ["--no-install", ...serving], {
    cwd: app,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  command.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  const ended = once(command, "close").then(([code, signal]: unknown[]) => ({ code, signal }));
  const first = await Promise.race([once(command.stdout, "data"), ended]);
  if (!Array.isArray(first)) throw new Error(`The installed hall did not start: ${said.join("")}`);
  const { url, pid } = z.object({ url: z.url(), pid: z.int() }).parse(JSON.parse(String(first[0])));
  return {
    url,
    stop(signal) {
      process.kill(pid, signal);
      return ended;
    },
  };
}
