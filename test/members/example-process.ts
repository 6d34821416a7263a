import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll } from "vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export const exampleFolder = join(import.meta.dirname, "../../guild-members/example");

/** Hooks count only where they are registered while the file is collected, which is when it imports this module. */
const started: (() => Promise<unknown>)[] = [];
afterAll(async () => void (await Promise.all(started.splice(0).map((end) => end()))));

/** The bundled member as a process of its own, with nothing of the hall around it; gone after the last test of the file. */
export async function startExample(): Promise<{ url: string; client: Client }> {
  const port = await freePort();
  const child = spawn(process.execPath, ["server.ts", "--port", String(port)], {
    cwd: exampleFolder,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const exited = once(child, "exit");
  const client = new Client({ name: "test", version: "1.0.0" });
  started.push(async () => {
    await client.close();
    child.kill("SIGKILL");
    await exited;
  });
  await once(createInterface({ input: child.stderr }), "line");
  const url = `http://127.0.0.1:${port}`;
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return { url, client };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
