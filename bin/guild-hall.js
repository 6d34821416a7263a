#!/usr/bin/env node
// Runs on whatever Node the machine has, so it keeps to what Node 12 can parse: no `node:` imports, no `?.`, no top-level await.
// oxlint-disable unicorn/prefer-node-protocol -- the prefix is newer than Node 12
import { spawn } from "child_process";
import { existsSync, readFileSync } from "fs";
import * as nodeModule from "module";
import { dirname, join } from "path";
import { fileURLToPath, pathToFileURL } from "url";

const neededMajor = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const forwarded = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]);

launch();

function launch() {
  const program = findProgram();
  if (program === undefined) return fail("This copy of Guild Hall is incomplete: it has neither dist/ nor src/. Install it again.");
  const version = process.versions.node;
  if (Number(version.split(".")[0]) >= neededMajor) return runHere(program);
  const name = nameOfNode();
  const node = name === undefined ? undefined : findNode(name);
  if (node !== undefined) return runOn(node);
  const platform = `${process.platform} ${process.arch}`;
  if (name === undefined) {
    return fail(`Guild Hall needs Node ${neededMajor}, this is Node ${version}, and it brings none for ${platform}; install a newer Node.`);
  }
  fail(
    `Guild Hall needs Node ${neededMajor}, this is Node ${version}, and the Node that comes with Guild Hall is missing; ` +
      `install Node ${neededMajor} or newer, or install Guild Hall again with its optional packages (npm ci --include=optional).`,
  );
}

/** A checkout runs its TypeScript; the package has only what was compiled, because Node strips no types under node_modules. */
function findProgram() {
  return [join(root, "src/cli/main.ts"), join(root, "dist/cli/main.js")].find(existsSync);
}

/** @param {string} program */
function runHere(program) {
  if (program.endsWith(".ts")) keepCompiled();
  import(pathToFileURL(program).href).then(
    /** @param {{ main: (args: string[]) => Promise<void> }} cli */ (cli) => cli.main(process.argv.slice(2)),
    /** @param {unknown} error */ (error) => fail(`Guild Hall could not be loaded: ${String(error)}`),
  );
}

/**
 * To turn TypeScript into something that runs takes most of the time of a short command, so Node keeps what came of it. Where
 * it cannot, it goes on without. Coverage would be counted less exactly.
 */
function keepCompiled() {
  if (process.env.NODE_V8_COVERAGE === undefined) nodeModule.enableCompileCache(join(root, "node_modules/.cache/guild-hall/commands"));
}

/** Node is an optional dependency for each platform it exists for, and npm installs the one that fits. Undefined if none does. */
function nameOfNode() {
  const manifest = /** @type {{ optionalDependencies?: Record<string, string> }} */ (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  );
  const { optionalDependencies = {} } = manifest;
  const ending = `-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  return Object.keys(optionalDependencies).find((name) => name.startsWith("node-") && name.endsWith(ending));
}

/**
 * Node's own lookup finds the package whether npm put it beside Guild Hall or below it.
 * @param {string} name
 */
function findNode(name) {
  const { resolve } = nodeModule.createRequire(import.meta.url);
  try {
    const folder = dirname(resolve(`${name}/package.json`));
    return [join(folder, "bin/node.exe"), join(folder, "bin/node")].find(existsSync);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/**
 * The channel tells the other process when this one dies, even of SIGKILL.
 * @param {string} node
 */
function runOn(node) {
  const child = spawn(node, process.execArgv.concat(process.argv.slice(1)), { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => void child.kill(signal);
  forwarded.forEach((signal) => process.on(signal, forward));
  child.on("error", (error) => fail(`The Node that comes with Guild Hall could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    forwarded.forEach((name) => process.removeListener(name, forward));
    if (signal === null) process.exit(code === null ? 1 : code);
    else process.kill(process.pid, signal);
  });
}

/** @param {string} sentence */
function fail(sentence) {
  process.stderr.write(`guild-hall: ${sentence}\n`);
  process.exitCode = 1;
}
