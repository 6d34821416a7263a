import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { main } from "../../src/cli/main.ts";
import type { Shell } from "../../src/cli/shell.ts";
import { noEnvFile } from "../counted-process.ts";
import type { CliResult, RunningCli } from "./run-cli.ts";

export type CommandOptions = {
  cwd?: string;
  env?: Record<string, string | undefined>;
  stdin?: string | Readable;
  /** stdin and stderr are a terminal. */ isTTY?: boolean;
};
export type TypedCommand = Omit<RunningCli, "child">;

/** Runs a command in this process, for whoever sees to its end. */
export function typeCommand(args: readonly string[], { cwd, env = {}, stdin = "", isTTY = false }: CommandOptions): TypedCommand {
  const said = { stdout: "", stderr: "" };
  const events = new EventEmitter();
  const into = (stream: keyof typeof said) =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        said[stream] += String(chunk);
        events.emit("said");
        done();
      },
    });
  const over = Promise.withResolvers<CliResult>();
  const shell: Shell = {
    env: { ...bareEnvironment(), ...env },
    cwd: () => cwd ?? process.cwd(),
    stdin: Object.assign(typeof stdin === "string" ? Readable.from([stdin]) : stdin, { isTTY }),
    stdout: into("stdout"),
    stderr: Object.assign(into("stderr"), { isTTY }),
    exit: (code) => over.resolve({ code, signal: null, ...said }),
    on: (event, listener) => events.on(event, listener),
    off: (event, listener) => events.off(event, listener),
  };
  void main(args, shell).then(() => over.resolve({ code: Number(shell.exitCode ?? 0), signal: null, ...said }), over.reject);
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(`${said.stdout}\n${said.stderr}`);
        if (found !== null) resolve(found[1] ?? found[0]);
      };
      events.on("said", look);
      look();
      void over.promise.then((result) => reject(new Error(`It ended without saying ${pattern}: ${JSON.stringify(result)}`)));
    });
  return { ended: over.promise, says, pressCtrlC: () => void events.emit("SIGINT") };
}

/** Nobody's, as for commands in processes of their own. Next's types want a NODE_ENV, which a person's shell does not have. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { PATH, TMPDIR, ...noEnvFile, HOME: join(tmpdir(), "guild-hall-nobody") } as unknown as NodeJS.ProcessEnv;
}
