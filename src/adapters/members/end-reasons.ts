import { basename } from "node:path";
import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import type { ConnectionStep } from "../../schema/roster.ts";

/** Why a member's life ended, in sentences for whoever has to mend it. */
export const reasons = {
  stopped: (name: string): string => `The hall stopped ${name}.`,
  /** `doing`: the tools it worked on; null before it was connected. */
  exited: (name: string, how: string, doing: readonly string[] | null): string => {
    if (doing === null) return `${name} ended by itself before it was connected, with ${how}.`;
    return doing.length === 0
      ? `${name} ended by itself, with ${how}.`
      : `${name} ended by itself while it worked on ${doing.join(", ")}, with ${how}.`;
  },
  late: ({ name, command, port, step, ms, nonsense }: Lateness): string => {
    const within = `within ${ms / 1000} s`;
    if (nonsense === null && step !== "tools" && downloaders.has(basename(command))) {
      return `${name} did not get ready ${within}. ${basename(command)} may still have been downloading it: wait for the next try, or give members more time with members.handshakeSeconds in config.yaml.`;
    }
    if (step === "tools") return `${name} did not list its tools ${within}.`;
    if (step === "listening") {
      return `${name} did not listen on 127.0.0.1:${port} ${within}. Does it take its port from \${PORT} in guild-member.json?`;
    }
    const said = nonsense === null ? "" : ` ${nonsense}`;
    return `${name} did not answer the MCP handshake ${within}. Is it an MCP server, and is the transport in guild-member.json right?${said}`;
  },
  unconnected: (name: string, error: unknown): string =>
    `${name} did not take the MCP handshake: ${wordsOf(error)} Is it an MCP server, and does it serve MCP at /mcp where it speaks HTTP?`,
  untold: (name: string, error: unknown): string => `${name} did not list its tools: ${wordsOf(error)}`,
  closed: (name: string): string => `${name} closed the connection, although it goes on running.`,
  forgotten: (name: string): string => `${name} no longer knows the connection it had with the hall.`,
  failed: (name: string, error: unknown): string =>
    error instanceof HallError ? error.message : `${name} could not be started: ${wordsOf(error)}`,
} as const;

/** How far it came, and what it said on its way that was no message. */
type Lateness = {
  name: string;
  command: string;
  port: number | null;
  step: ConnectionStep["name"] | null;
  ms: number;
  nonsense: string | null;
};

/** Programs that first fetch the one they are to run. */
const downloaders: ReadonlySet<string> = new Set(["npx", "pnpx", "bunx", "uvx", "pipx"]);

/** What is neither JSON nor of the protocol's shape. */
export const notMcp = "What it answered is not a message of MCP.";

/** The SDK puts a number before what the member said, and tells a message of the wrong shape as a page of JSON. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SyntaxError || error instanceof z.core.$ZodError) return notMcp;
  return error.message
    .replace(/^(MCP error -?\d+|Streamable HTTP error): /, "")
    .slice(0, 1000)
    .toWellFormed();
}
