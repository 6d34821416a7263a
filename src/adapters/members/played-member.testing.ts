import { execFileSync, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import type { Manifest } from "../../schema/manifest.ts";

/** How the member behaves before anybody calls a tool. */
export type Opening =
  | "well"
  | "dies"
  | "hangs"
  | "talks-nonsense"
  | "floods-stderr"
  | "ignores-sigterm"
  | "forks"
  | "never-listens"
  | "chatters"
  | "serves-no-mcp"
  | "greets-only";

/** The manifest's part for a member that is played by this file, over either transport, with so many tools beside those below. */
export const playedBy = (transport: Manifest["transport"], opening: Opening, moreTools = 0): Pick<Manifest, "transport" | "mcp"> => ({
  transport,
  mcp: {
    command: "node",
    args: [
      import.meta.filename,
      opening,
      transport,
      ...(transport === "http" ? ["${PORT}"] : []),
      ...(moreTools > 0 ? [`--tools=${moreTools}`] : []),
    ],
    env: {},
  },
});

type Message = { id?: number; method?: string; params?: { name?: string; arguments?: Record<string, unknown>; cursor?: string } };
type Way = { say(message: object): void; raw(text: string): void };

type Play = (message: Message, way: Way) => object | null;

const tools: Map<string, Play> = new Map<string, Play>([
  ["echo", ({ params }) => text(JSON.stringify(params?.arguments))],
  ["surroundings", () => text(JSON.stringify({ pid: process.pid, env: process.env, cwd: process.cwd(), args: process.argv.slice(2) }))],
  ["pid", () => text(String(process.pid))],
  ["refuse", () => ({ ...text("I would rather not."), isError: true })],
  ["fork", () => text(String(sleeper()))],
  ["fork-away", () => text(String(sleeper({ detached: true })))],
  ["fork-unmarked", () => text(String(sleeper({ detached: true, env: { NODE_ENV: "test" } })))],
  ["fork-forsaken", () => text(forsaken())],
  ["hang", () => null],
  ["take-time", takeTime],
  ["close-stdout", () => (closeSync(1), setInterval(() => undefined, 1000), null)],
  ["forget", () => ((hasForgotten = true), text("What was your name again?"))],
  ["die", () => process.exit(7)],
  ["talk-nonsense", (_, way) => (way.raw("this is no message\n{]\n"), null)],
  ["answer-nonsense", ({ id }, way) => (way.raw(`${JSON.stringify({ jsonrpc: "2.0", id, result: "not an object" })}\n`), null)],
  ["answer-very-deeply", ({ id }, way) => (way.raw(`{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":${deep}}}\n`), null)],
  ["say-something-deep", (_, way) => (way.raw(`{"jsonrpc":"2.0","id":99999,"result":${deep}}\n`), text("said"))],
  ["answer-100-megabytes", () => text("x".repeat(100_000_000))],
  ["flood-stderr", () => (floodStderr(), text("done"))],
  ["learn", (_, way) => (tools.set("learned", () => text("new")), way.say(notice("notifications/tools/list_changed")), text("learned"))],
]);

let hasForgotten = false;
let timesTaken = 0;
const cancelled: number[] = [];
tools.set("what-was-cancelled", () => text(JSON.stringify(cancelled)));
const asked: string[] = [];
tools.set("what-was-asked", () => text(JSON.stringify(asked)));

function takeTime({ id, params }: Message, way: Way): null {
  timesTaken += 1;
  const said = text(`Call ${timesTaken}.`);
  setTimeout(() => way.say({ jsonrpc: "2.0", id, result: said }), Number(params?.arguments?.["ms"]));
  return null;
}

const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
const text = (said: string) => ({ content: [{ type: "text", text: said }] });
const notice = (method: string) => ({ jsonrpc: "2.0", method });

function answer(message: Message, way: Way): object | null {
  const { id, method, params } = message;
  asked.push(method ?? "");
  if (method === "notifications/cancelled") cancelled.push(Number((params as { requestId?: number }).requestId)); // as the protocol says
  if (id === undefined) return null;
  const name = params?.name ?? "";
  const isUnknown = method === "tools/call" && !tools.has(name);
  if (isUnknown) return { jsonrpc: "2.0", id, error: { code: -32602, message: `There is no tool ${name}.` } };
  const result = resultOf(message, way);
  return result === null ? null : { jsonrpc: "2.0", id, result };
}

function resultOf(message: Message, way: Way): object | null {
  if (message.method === "initialize") {
    return {
      protocolVersion: "2025-06-18",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "played", version: "1.2.3" },
    };
  }
  if (message.method === "tools/list") return page(message.params?.cursor);
  return tools.get(message.params?.name ?? "")?.(message, way) ?? null;
}

/** Two pages, of which the second has everything but the first tool, one that says null for what it does not say, and one that is broken. */
function page(cursor: string | undefined): object {
  const listed = [...tools.keys()].map((name) => ({ name, description: `Plays ${name}.`, inputSchema: { type: "object" } }));
  return cursor === undefined
    ? { tools: listed.slice(0, 1), nextCursor: "rest" }
    : { tools: [...listed.slice(1), sparse, { name: "broken" }] };
}

const sparse = { name: "sparse", title: null, description: null, inputSchema: { type: "object" }, outputSchema: null, annotations: null };

function sleeper(options: { detached?: boolean; env?: NodeJS.ProcessEnv } = {}): number | undefined {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", ...options });
  child.unref();
  return child.pid;
}

/** One with a cleared environment and a session of its own, whose parent is gone already. */
function forsaken(): string {
  const child = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, env: {}, stdio: "ignore" })`;
  return execFileSync(process.execPath, ["-e", `process.stdout.write(String(${child}.pid)); process.exit()`], { encoding: "utf8" });
}

function floodStderr(): void {
  for (let written = 0; written < 30; written += 1) process.stderr.write("flood ".repeat(30_000));
}

function overStdio(): void {
  const way: Way = { say: (message) => way.raw(`${JSON.stringify(message)}\n`), raw: (said) => process.stdout.write(said) };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const said = answer(JSON.parse(line) as Message, way); // only the hall speaks to it
    if (said !== null) way.say(said);
  });
}

function overHttp(port: number): void {
  let listener: ServerResponse | null = null;
  createServer((request, response) => {
    if (hasForgotten) return void response.writeHead(404).end();
    if (request.method === "GET") {
      listener = response.writeHead(200, { "content-type": "text/event-stream" });
      listener.flushHeaders();
      return;
    }
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const message = JSON.parse(body) as Message; // only the hall speaks to it
      const reply = (said: string, status = 200) => response.writeHead(status, { "content-type": "application/json" }).end(said);
      const said = answer(message, {
        say: (notification) => void listener?.write(`data: ${JSON.stringify(notification)}\n\n`),
        raw: reply,
      });
      if (message.id === undefined) reply("", 202);
      else if (said !== null) reply(JSON.stringify(said));
    });
  }).listen(port, "127.0.0.1");
}

const openings: Record<Opening, (begin: () => void) => void> = {
  well: (begin) => begin(),
  dies: () => {
    process.stderr.write("I cannot go on.\n");
    process.exit(3);
  },
  hangs: () => void setInterval(() => undefined, 1000),
  "never-listens": () => void setInterval(() => undefined, 1000),
  "talks-nonsense": (begin) => {
    process.stdout.write("Welcome to my server!\n{ half a message\n{}\n[]\n\n");
    begin();
  },
  "floods-stderr": (begin) => {
    floodStderr();
    begin();
  },
  "ignores-sigterm": (begin) => {
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 1000);
    begin();
  },
  "serves-no-mcp": () => void createServer((_, response) => response.writeHead(404).end()).listen(Number(process.argv[4]), "127.0.0.1"),
  "greets-only": () => {
    process.stdout.write("Welcome to my server!\n");
    setInterval(() => undefined, 1000);
  },
  chatters: () => {
    const said =
      `${'{}\n{"jsonrpc":"2.0","error":1}\n'.repeat(2000)}${JSON.stringify(notice("notifications/tools/list_changed"))}\n`.repeat(3);
    const chatter = () => {
      process.stderr.write("blah ");
      process.stdout.write(said, chatter);
    };
    chatter();
  },
  forks: (begin) => {
    sleeper();
    sleeper({ detached: true });
    begin();
  },
};

if (import.meta.main) {
  const [opening = "well", transport, port] = process.argv.slice(2);
  const more = Number(/^--tools=(\d+)$/.exec(process.argv.at(-1) ?? "")?.[1] ?? 0);
  for (let number = 1; number <= more; number += 1) tools.set(`tool-${number}`, () => text(`Tool ${number}.`));
  openings[opening as Opening](() => (transport === "http" ? overHttp(Number(port)) : overStdio())); // as playedBy wrote it
}
