import type { Manifest } from "../../schema/manifest.ts";
import type { Member, MemberTool } from "../../schema/roster.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import type { Schedule } from "../schedule.ts";
import type { AcceptedTools } from "./accepted-tools.ts";
import type { FoundMember } from "./member-folders.ts";
import type { MemberLauncher } from "./member-launcher.ts";
import { createMemberTools } from "./member-tools.ts";
import type { MemberTools } from "./member-tools.ts";
import { createSupervisor } from "./supervisor.ts";
import type { MemberState, Supervisor } from "./supervisor.ts";

export type EntryDeps = {
  launcher: MemberLauncher;
  accepted: AcceptedTools;
  hashOf: (definition: ToolDefinition) => string;
  now: () => number;
  schedule: Schedule;
  onProblem: (error: unknown) => void;
};

type Place = {
  /** Resolves when nothing runs any more of who had the name before. */
  vacated: Promise<unknown>;
  onChange: (entry: RosterEntry) => void;
};

/** One line of the Roster, for one folder. */
export type RosterEntry = {
  name: string;
  readonly found: FoundMember;
  /** Null for one that cannot be started as it stands: its manifest is invalid, or its name is taken. */
  program: { supervisor: Supervisor; tools: MemberTools } | null;
  describe(): Member;
  /** Something of it is another than before. */
  changed(): void;
  /** The folder was looked at again; its manifest is the same. */
  refresh(found: FoundMember): void;
};

/** `problem` says why it cannot be started. */
export function createRosterEntry(
  first: FoundMember,
  problem: string | null,
  { launcher, accepted, hashOf, now, schedule, vacated, onProblem, onChange }: EntryDeps & Place,
): RosterEntry {
  let found = first;
  /** Built once per change: many pages may ask for the Roster at once. */
  let described: Member | null = null;

  const changed = () => {
    described = null;
    onChange(entry);
  };

  function programOf(manifest: Manifest): RosterEntry["program"] {
    const tools = createMemberTools({
      member: manifest.name,
      isTrusted: () => found.origin === "bundled",
      store: accepted,
      hashOf,
      onProblem,
    });
    const program = { name: manifest.name, folder: first.path, manifest };
    const supervisor = createSupervisor({
      program,
      launcher,
      now,
      schedule,
      isPrepared: vacated.then(tools.load),
      onTools: tools.see,
      onChange: changed,
    });
    return { supervisor, tools };
  }

  const entry: RosterEntry = {
    name: first.manifest === null ? first.name : first.manifest.name,
    get found() {
      return found;
    },
    program: problem === null && first.manifest !== null ? programOf(first.manifest) : null,
    describe: () => (described ??= describeEntry(entry, problem)),
    changed,
    refresh(again) {
      const isSame = again.origin === found.origin && again.note === found.note;
      found = again;
      if (isSame) return;
      changed();
    },
  };
  return entry;
}

function describeEntry({ name, found, program }: RosterEntry, problem: string | null): Member {
  const { manifest, folder, origin } = found;
  const notes = [...(found.note === undefined ? [] : [found.note]), ...(program?.tools.notes() ?? [])];
  const { steps, ...state } = program?.supervisor.state() ?? brokenState(problem);
  const tools: MemberTool[] = [...(program?.tools.list() ?? [])];
  return {
    name,
    displayName: manifest?.displayName ?? name,
    description: manifest?.description ?? "",
    version: manifest?.version ?? "",
    capabilities: manifest?.capabilities ?? [],
    transport: manifest?.transport ?? null,
    command: manifest === null ? [] : [manifest.mcp.command, ...manifest.mcp.args],
    ...state,
    steps: [...steps],
    toolCount: tools.length,
    tools,
    folder,
    origin,
    ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
  };
}

const brokenState = (error: string | null): MemberState => ({ status: "error", error, steps: [], startedAt: null, nextStartAt: null });
