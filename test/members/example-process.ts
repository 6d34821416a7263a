import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export const exampleFolder = join(import.meta.dirname, "../../guild-members/example");

export type Example = { url: string; client: Client; end(): Promise<void> };

/** The bundled member as a process of its own, with nothing of the hall around it. Whoever starts it ends it. */
export async function startExample(): Promise<Example> {
  const port = await freePort();
  const child = spawn(process.execPath, ["server.ts", "--port", String(port)], {
    cwd: exampleFolder,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const exited = once(child, "exit");
  const client = new Client({ name: "test", version: "1.0.0" });
  await once(createInterface({ input: child.stderr }), "line");
  const url = `http://127.0.0.1:${port}`;
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return {
    url,
    client,
    async end() {
      await client.close();
      child.kill("SIGKILL");
      await exited;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
