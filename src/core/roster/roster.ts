import type { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { newToolCallId } from "../../schema/ids.ts";
import type { ToolCallId } from "../../schema/ids.ts";
import { suggestion } from "../../schema/nearest-name.ts";
import type { AcceptTools, AddMember, Member, MemberLogs } from "../../schema/roster.ts";
import type { ToolAnswer } from "../../schema/tool.ts";
import type { InvokeTool, SaveToolCall, ToolCall } from "../../schema/tool-call.ts";
import { compareText } from "../compare-text.ts";
import { offersFor } from "./agent-offers.ts";
import { createEntries } from "./entries.ts";
import type { EntriesDeps } from "./entries.ts";
import { invokeTool } from "./invoke-tool.ts";
import type { CheckInput } from "./invoke-tool.ts";
import { manifestOf } from "./manifest-of.ts";
import type { MemberFolders } from "./member-folders.ts";
import type { RosterEntry } from "./roster-entry.ts";
import { createRosterWorkers } from "./roster-workers.ts";
import { notConnected } from "./supervisor.ts";
import type { ToolCallStore } from "./tool-call-store.ts";

export type RosterDeps = Omit<EntriesDeps, "onOffersChange"> & {
  folders: MemberFolders;
  calls: ToolCallStore;
  checkInput: CheckInput;
};

export type Roster = ReturnType<typeof createRoster>;

/** The guild members of the hall: which there are, how they fare, and their tools, for people and for agents. */
export function createRoster({ calls, checkInput, ...deps }: RosterDeps) {
  const { folders, now, onProblem } = deps;
  const listeners = new Set<(member: string) => void>();
  const entries = createEntries({ ...deps, onOffersChange: (member) => listeners.forEach((listen) => listen(member)) });
  const onOffersChange = (listen: (member: string) => void): void => void listeners.add(listen);
  const workers = createRosterWorkers({ all: entries.all, find: mustFind, onComingAndGoing: onOffersChange });
  /** Calls on their way into the history. */
  const remembering = new Set<Promise<void>>();

  /** Nobody who called a tool waits for its history, or is told that it could not be written. */
  function remember(call: ToolCall): void {
    const done = calls
      .add(call)
      .catch(onProblem)
      .finally(() => remembering.delete(done));
    remembering.add(done);
  }

  function mustFind(name: string): RosterEntry {
    const entry = entries.find(name);
    if (entry !== undefined) return entry;
    throw new HallError("not_found", unknownMember(name, namesNow()));
  }

  function mustRun(name: string): NonNullable<RosterEntry["program"]> {
    const { program, describe } = mustFind(name);
    if (program === null) throw notConnected(name, describe().error);
    return program;
  }

  const namesNow = (): string[] => entries.all().map(({ name }) => name);
  const get = (name: string): Member => mustFind(name).describe();

  return {
    /** Resolves when every member is known. None is started yet. */
    look: entries.rescan,

    /** Begins to start them all. None is waited for. */
    start: entries.start,

    /** Resolves when none runs any more. */
    async close(): Promise<void> {
      await entries.close();
      await Promise.all(remembering);
    },

    list: (): Member[] =>
      entries
        .all()
        .map((entry) => entry.describe())
        .toSorted((a, b) => (a.name === b.name ? compareText(a.folder, b.folder) : compareText(a.name, b.name))),
    get,

    async add(request: z.output<typeof AddMember>): Promise<Member> {
      const taken = entries.find(request.name);
      if (taken !== undefined) {
        throw new HallError("conflict", `There is a member "${request.name}" already, in guild-members/${taken.found.folder}.`);
      }
      await folders.add(manifestOf(request));
      await entries.rescan();
      return get(request.name);
    },

    /** Answers where its folder is kept. */
    async remove(name: string): Promise<{ movedTo: string }> {
      const { program, found } = mustFind(name);
      await program?.supervisor.stop();
      // Where it cannot be moved it is still a member, so it goes on.
      const moved = await folders.remove(found.folder, name).catch((error: unknown) => {
        program?.supervisor.start();
        throw error;
      });
      await program?.tools.forget();
      await entries.rescan();
      return moved;
    },

    /** Looks at its folder again first: somebody may just have put right what kept it from starting. */
    async restart(name: string): Promise<Member> {
      await entries.rescan();
      const { tools, supervisor } = mustRun(name);
      await tools.recover();
      supervisor.restart();
      return get(name);
    },

    /** A worker was given its way to the model when it was started. Jobs of one that takes them up again go on. */
    restartWorkers(): void {
      for (const { name } of workers.list()) mustRun(name).supervisor.restart();
    },

    logs: (name: string): MemberLogs => mustFind(name).program?.supervisor.logs() ?? { text: "", truncated: false },

    async accept(name: string, tools: AcceptTools["tools"]): Promise<Member> {
      await mustRun(name).tools.accept(tools);
      mustFind(name).changed();
      return get(name);
    },

    invoke: async (call: InvokeTool, signal: AbortSignal): Promise<ToolAnswer> =>
      invokeTool(call, mustFind(call.member), signal, { checkInput, now, remember }),

    calls: calls.list,

    async saveCall({ member, tool, input, name }: SaveToolCall): Promise<ToolCall> {
      mustFind(member);
      const call: ToolCall = { id: newToolCallId(), member, tool, input, name, at: new Date(now()).toISOString(), outcome: null };
      await calls.add(call);
      return call;
    },

    async forgetCall(id: ToolCallId): Promise<void> {
      if (!(await calls.remove(id))) throw new HallError("not_found", `There is no tool call ${id}.`);
    },

    /** Refuses names that no member has, and starts the members that are stopped. */
    engage(members: readonly string[]): void {
      const unknown = members.flatMap((name, at) =>
        entries.find(name) === undefined ? [{ path: `members.${at}`, message: unknownMember(name, namesNow()) }] : [],
      );
      const [first] = unknown;
      if (first !== undefined) throw new HallError("bad_request", first.message, { details: { issues: unknown } });
      for (const name of members) entries.find(name)?.program?.supervisor.start();
    },

    offersFor: (members: readonly string[], signal?: AbortSignal) => offersFor(members, { find: entries.find, workers }, signal),

    /** The members that take jobs. */
    workers,

    /** Tells which member's tools for agents changed, for as long as the hall runs. */
    onOffersChange,
  };
}

const unknownMember = (name: string, known: readonly string[]): string =>
  `There is no member "${name}"${known.length === 0 ? ". The Roster is empty." : suggestion(name, known)}`;
