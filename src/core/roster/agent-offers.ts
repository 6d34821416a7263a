import { HallError } from "../../schema/hall-error.ts";
import type { MemberTool } from "../../schema/roster.ts";
import type { Tool, ToolServer } from "../agent/agent-run.ts";
import type { RosterEntry } from "./roster-entry.ts";

export type AgentOffers = {
  servers: readonly ToolServer[];
  /** For the agent's instructions: which of its members are not there. */
  note: string | null;
};

type OfferDeps = {
  /** The member of that name as it is at this moment. */
  find: (name: string) => RosterEntry | undefined;
};

/** How long an agent waits for members that are starting. One that is broken is not waited for. */
const patienceMs = 3000;

/** The tools that an agent with these members gets, and a word about those it cannot have. The signal ends all waiting. */
export async function offersFor(members: readonly string[], { find }: OfferDeps, signal?: AbortSignal): Promise<AgentOffers> {
  const names = [...new Set(members)];
  for (const name of names) find(name)?.program?.supervisor.wake();
  await Promise.all(names.map(async (name) => find(name)?.program?.supervisor.untilSettled(patienceMs, signal)));

  const servers: ToolServer[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const entry = find(name);
    const reason = whyMissing(entry);
    if (reason !== null) missing.push(`${name} (${reason})`);
    const tools = reason === null ? (entry?.program?.tools.list() ?? []).filter((tool) => isForAgents(name, tool)) : [];
    if (tools.length > 0) servers.push({ name, tools: tools.map((tool) => offered(name, tool, find)) });
  }
  return { servers, note: missing.length === 0 ? null : noteOn(missing) };
}

/** In the hall's own words only: what a broken program wrote has no place in an agent's instructions. */
function whyMissing(entry: RosterEntry | undefined): string | null {
  if (entry === undefined) return "no longer in the hall";
  if (entry.program === null) return "not set up correctly";
  const { status } = entry.describe();
  if (status === "connected") return null;
  return status === "disconnected" ? "still starting" : "not running";
}

const noteOn = (missing: readonly string[]): string =>
  `These guild members of the session are not available at the moment: ${missing.join(", ")}. Say so when a task needs one of them.`;

/** The names that the Messages API takes, and only what a person has accepted. */
function isForAgents(member: string, { name, accepted, inputSchema }: MemberTool): boolean {
  return accepted && inputSchema["type"] === "object" && /^[a-zA-Z0-9_-]{1,128}$/.test(`mcp__${member}__${name}`);
}

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
      // The tool server has checked the input against the schema, which is that of an object.
      return program.supervisor.call(name, input as Record<string, unknown>, signal);
    },
  };
}
