import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Interface } from "node:readline";
import { z } from "zod";

const program = join(import.meta.dirname, "../../guild-members/researcher/server.ts");

export type SpawnedResearcher = {
  child: ChildProcess;
  port: number;
  /** Its exit code, or the signal that ended it. */
  exited: Promise<number | string | null>;
  /** What it writes to stderr. */
  lines: Interface;
};

/**
 * The bundled researcher with the model at that address, in a folder of its own, where its jobs and its memory will be. `launcher` is
 * what Node is given before it: with one, the process here is the parent of the researcher.
 */
export async function spawnResearcher(
  folder: string,
  modelUrl: string,
  env: Record<string, string> = {},
  launcher: string[] = [],
): Promise<SpawnedResearcher> {
  const port = await freePort();
  const child = spawn(process.execPath, [...launcher, program, "--port", String(port)], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_ENV: "production",
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: "sk-not-a-key",
      CLAUDE_CODE_MAX_RETRIES: "0",
      ...env,
    },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const exited = new Promise<number | string | null>((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  return { child, port, exited, lines: createInterface({ input: child.stderr }) };
}

export type Answer = { result?: unknown; error?: { code: number; message: string } };

export type Researcher = {
  folder: string;
  port: number;
  child: ChildProcess;
  /** The answer of JSON-RPC, whatever it is. */
  ask(method: string, params?: unknown): Promise<Answer>;
  /** The result, checked. */
  call<Shape extends z.ZodType>(method: string, params: unknown, shape: Shape): Promise<z.infer<Shape>>;
  dispatch(task: string, more?: { description?: string; config?: object }): Promise<string>;
  status(jobId: string): Promise<string>;
  /** Resolves with its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
};

/** A researcher that listens. */
export async function listening(folder: string, { child, port, exited, lines }: SpawnedResearcher): Promise<Researcher> {
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => line.startsWith("Listening") && resolve());
    void exited.then((how) => reject(new Error(`The researcher ended (${how}) before it listened.`)));
  });

  async function ask(method: string, params?: unknown): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      // A connection of its own: one that was idle may be closed by the member while the next question is under way.
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as Answer; // what it holds is what is looked at
  }
  async function call<Shape extends z.ZodType>(method: string, params: unknown, shape: Shape): Promise<z.infer<Shape>> {
    const { result, error } = await ask(method, params);
    if (error !== undefined) throw new Error(`${method} was answered with ${error.code}: ${error.message}`);
    return shape.parse(result);
  }
  return {
    folder,
    port,
    child,
    ask,
    call,
    dispatch: async (task, { description = task.slice(0, 100), config } = {}) =>
      (await call("worker/dispatch", { description, task, config }, z.strictObject({ jobId: z.uuid() }))).jobId,
    status: async (jobId) => (await call("worker/status", { jobId }, z.object({ status: z.string() }))).status,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("A TCP server has an address with a port.");
  return address.port;
}
