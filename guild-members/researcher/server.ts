import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { startMember } from "./member.ts";

/** `node server.ts --port 4900`: a worker over MCP at http://127.0.0.1:4900/mcp. Its jobs and its memory are in the folder it is started in. */
const { values } = parseArgs({ options: { port: { type: "string" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error("Say which port to listen on: node server.ts --port 4900");
  process.exit(2);
}

let stopMember = async (): Promise<void> => undefined;

// A hall that is killed cannot say goodbye. When another process becomes our parent, the one that started us is gone.
const parent = process.ppid;

const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  stop();
}, 1000).unref();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);

const member = await startMember({ folder: process.cwd(), port }).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return process.exit(1);
});
stopMember = member.stop;

const http = createServer(member.listener);
http.once("error", (error) => {
  console.error(`Cannot listen on 127.0.0.1:${port}: ${error.message}`);
  process.exit(1);
});
http.listen(port, "127.0.0.1", () => {
  console.error(`Listening at http://127.0.0.1:${port}/mcp`);
  member.resume();
});

/** Jobs that were at work are resumed at the next start. What does not stop in time is ended with this process. */
function stop(): void {
  setTimeout(() => process.exit(0), 2500);
  void stopMember().finally(() => process.exit(0));
}
