import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "../../src/schema/manifest.ts";
import { program } from "./public-member.ts";

export type BareClient = { call(message: string): Promise<void>; close(): Promise<void> };

/** The MCP SDK's client by itself with a process of the same program: what a call costs without a hall. */
export const connectBare: Record<Transport, () => Promise<BareClient>> = {
  async stdio() {
    const transport = new StdioClientTransport({ command: process.execPath, args: [program, "stdio"], stderr: "ignore" });
    return bareClient(transport, () => Promise.resolve());
  },
  async http() {
    const port = await freePort();
    const child = spawn(process.execPath, [program, "streamableHttp"], { env: { ...process.env, PORT: String(port) }, stdio: "ignore" });
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    while (!(await isServing(url))) await pause(20);
    return bareClient(new StreamableHTTPClientTransport(url), async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    });
  },
};

async function bareClient(transport: StdioClientTransport | StreamableHTTPClientTransport, end: () => Promise<void>): Promise<BareClient> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  return {
    call: async (message) => void (await client.callTool({ name: "echo", arguments: { message } })),
    async close() {
      await client.close();
      await end();
    },
  };
}

const isServing = (url: URL): Promise<boolean> =>
  fetch(url, { method: "POST" }).then(
    () => true,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a server that listens on an address has one of these
  server.close();
  return port;
}
