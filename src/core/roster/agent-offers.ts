import { HallError } from "../../schema/hall-error.ts";
import type { MemberTool } from "../../schema/roster.ts";
import type { Tool, ToolServer } from "../agent/agent-run.ts";
import type { Workers } from "../worker/workers.ts";
import { createDispatchServer } from "./dispatch-server.ts";
import { refusedForAgent } from "./refused-tools.ts";
import type { RefusedTool } from "./refused-tools.ts";
import type { RosterEntry } from "./roster-entry.ts";

export type AgentOffers = {
  servers: readonly ToolServer[];
  /** For the agent's instructions: which of its members are not there, and which of their tools cannot be offered. */
  note: string | null;
  /** Its members that take jobs, each with the name of the server that brings them. */
  workers: readonly { name: string; server: string }[];
};

type OfferDeps = {
  /** The member of that name as it is at this moment. */
  find: (name: string) => RosterEntry | undefined;
  workers: Pick<Workers, "get">;
};

/** How long an agent waits for members that are starting. One that is broken is not waited for. */
const patienceMs = 3000;

/** The tools that an agent with these members gets, and a word about those it cannot have. The signal ends all waiting. */
export async function offersFor(members: readonly string[], { find, workers }: OfferDeps, signal?: AbortSignal): Promise<AgentOffers> {
  const names = [...new Set(members)];
  for (const name of names) find(name)?.program?.supervisor.wake();
  await Promise.all(names.map(async (name) => find(name)?.program?.supervisor.untilSettled(patienceMs, signal)));

  const servers: ToolServer[] = [];
  const missing: string[] = [];
  const refused: string[] = [];
  for (const name of names) {
    const entry = find(name);
    const reason = whyMissing(entry);
    if (reason !== null) missing.push(`${name} (${reason})`);
    const { tools, refusals } = reason === null ? toolsOf(entry?.program ?? null) : none;
    if (refusals.length > 0) refused.push(refusedForAgent(name, refusals));
    if (tools.length > 0) servers.push({ name, member: name, tools: tools.map((tool) => offered(name, tool, find)) });
  }
  const present = names
    .flatMap((name) => find(name) ?? [])
    .filter((entry) => whyMissing(entry) === null && entry.program?.supervisor.worker);
  const taken = new Set(names);
  const dispatch = present.map((entry) => ({ name: entry.name, server: bridgeName(entry.name, taken), entry }));
  for (const { server, entry } of dispatch) servers.push(bridgeTo(entry, server, { find, workers }));
  return {
    servers,
    note: noteOn(missing, refused),
    workers: dispatch.map(({ name, server }) => ({ name, server })),
  };
}

/** A member may have the name that the bridge to another one would have; it keeps it, whatever it offers at the moment. */
function bridgeName(worker: string, taken: Set<string>): string {
  let name = `${worker}-dispatch`;
  while (taken.has(name)) name += "-jobs";
  taken.add(name);
  return name;
}

function bridgeTo({ name, describe }: RosterEntry, server: string, { find, workers }: OfferDeps): ToolServer {
  const { displayName, description } = describe();
  return createDispatchServer({
    name: server,
    member: { name, displayName, description },
    async worker(signal) {
      await find(name)?.program?.supervisor.untilSettled(patienceMs, signal);
      return workers.get(name);
    },
  });
}

/** In the hall's own words only: what a broken program wrote has no place in an agent's instructions. */
function whyMissing(entry: RosterEntry | undefined): string | null {
  if (entry === undefined) return "no longer in the hall";
  if (entry.program === null) return "not set up correctly";
  const { status } = entry.describe();
  if (status === "connected") return null;
  return status === "disconnected" ? "still starting" : "not running";
}

function noteOn(missing: readonly string[], refused: readonly string[]): string | null {
  const lines = [
    missing.length === 0 ? null : `These guild members of the session are not available at the moment: ${missing.join(", ")}.`,
    refused.length === 0 ? null : `These tools of guild members exist and cannot be offered to you: ${refused.join("; ")}.`,
  ].filter((line) => line !== null);
  return lines.length === 0 ? null : `${lines.join(" ")} Say so when a task needs one of them.`;
}

/** Only what a person has accepted: of the others, not even the names. */
function toolsOf(program: RosterEntry["program"]): { tools: readonly MemberTool[]; refusals: readonly RefusedTool[] } {
  if (program === null) return none;
  const accepted = program.tools.list().filter((tool) => tool.accepted);
  const names = new Set(accepted.map(({ name }) => name));
  const refusals = program.tools.refused().filter(({ name }) => names.has(name));
  const isRefused = new Set(refusals.map(({ name }) => name));
  return { tools: accepted.filter(({ name }) => !isRefused.has(name)), refusals };
}

const none = { tools: [], refusals: [] };

function offered(member: string, { name, hash, description, inputSchema, annotations }: MemberTool, find: OfferDeps["find"]): Tool {
  return {
    name,
    description,
    inputSchema,
    readOnly: annotations?.readOnlyHint === true,
    async call(input, { signal }) {
      await find(member)?.program?.supervisor.untilSettled(patienceMs, signal);
      const program = find(member)?.program;
      if (program === undefined || program === null)
        throw new HallError("member_unavailable", `Guild member "${member}" is not there any more.`);
      // The agent was shown one definition; another one may have taken its place since.
      const current = program.tools.find(name);
      if (current.hash !== hash || !current.accepted) {
        throw new HallError(
          "conflict",
          `The tool "${name}" of "${member}" has changed, and a person has to accept it before it can be used.`,
        );
      }
      // Checked against the schema. MCP knows only objects as input; a member that asks for something else may take it.
      return program.supervisor.call(name, input as Record<string, unknown>, signal);
    },
  };
}
