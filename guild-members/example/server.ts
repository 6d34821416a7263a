import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { createDoor } from "./door.ts";
import { createMcpServer } from "./mcp-server.ts";

/** `node server.ts --port 4900`: the tools of this folder over MCP at http://127.0.0.1:4900/mcp. */
const { values } = parseArgs({ options: { port: { type: "string" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error("Say which port to listen on: node server.ts --port 4900");
  process.exit(2);
}

const http = createServer(createDoor({ port, mark: process.env["GUILD_HALL_MEMBER"], connect: createMcpServer }));
http.once("error", (error) => {
  console.error(`Cannot listen on 127.0.0.1:${port}: ${error.message}`);
  process.exit(1);
});
http.listen(port, "127.0.0.1", () => console.error(`Listening at http://127.0.0.1:${port}/mcp`));

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(0));

// A hall that is killed cannot say goodbye. When another process becomes our parent, the one that started us is gone.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(0);
}, 1000).unref();
