import { existsSync, watch } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { putMember } from "../server/members-by-hand.ts";

export type Gates = {
  /** Lets the call that waits at this gate answer, and any that comes later. */
  open(gate: string): Promise<void>;
};

/** Puts the member "gate" into a home. Its tool `wait` answers when the test says so: an answer of the model takes as long as the test needs. */
export async function putGateMember(home: string): Promise<Gates> {
  // Beside the home: what is in it, the hall takes for its own or for a stranger's.
  const folder = `${home}-gates`;
  await mkdir(folder, { recursive: true });
  const mcp = { command: "node", args: [import.meta.filename, folder], env: {} };
  await putMember(home, "gate", { transport: "stdio", mcp, displayName: "Gate" });
  return { open: (gate) => writeFile(join(folder, gate), "") };
}

function untilOpen(folder: string, gate: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => existsSync(join(folder, gate)) && resolve();
  const watcher = watch(folder, look);
  look();
  return promise.finally(() => watcher.close());
}

if (import.meta.main) {
  const folder = process.argv[2] ?? "";
  const server = new Server({ name: "gate", version: "1.0.0" }, { capabilities: { tools: {} } });
  const inputSchema = { type: "object" as const, properties: { gate: { type: "string" } }, required: ["gate"] };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "wait", description: "Waits at a gate.", inputSchema }] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    await untilOpen(folder, String(params.arguments?.["gate"]));
    return { content: [{ type: "text", text: "The gate is open." }] };
  });
  await server.connect(new StdioServerTransport());
}
