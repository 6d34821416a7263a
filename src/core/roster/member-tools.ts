import { HallError } from "../../schema/hall-error.ts";
import type { MemberName } from "../../schema/ids.ts";
import { suggestion } from "../../schema/nearest-name.ts";
import type { AcceptTools, MemberTool } from "../../schema/roster.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import type { AcceptedTool, AcceptedTools } from "./accepted-tools.ts";
import { judgeTools, withAccepted } from "./judge-tools.ts";
import { fewOf, noteOnRefused, refuseSameNames, refuseTool } from "./refused-tools.ts";
import type { RefusedTool } from "./refused-tools.ts";

export type MemberToolsDeps = {
  member: MemberName;
  /** What the project itself ships is accepted with it. */
  isTrusted: () => boolean;
  store: AcceptedTools;
  hashOf: (definition: ToolDefinition) => string;
  onProblem: (error: unknown) => void;
};

export type MemberTools = ReturnType<typeof createMemberTools>;

/** The tools of one member as it has them now, each with whether a person has accepted exactly this definition. */
export function createMemberTools({ member, isTrusted, store, hashOf, onProblem }: MemberToolsDeps) {
  let accepted: readonly AcceptedTool[] = [];
  let isFirstSight = false;
  let seen: readonly AcceptedTool[] = [];
  let judged: readonly MemberTool[] = [];
  let leftOut: readonly string[] = [];
  let unfit: readonly RefusedTool[] = [];
  let refused: readonly RefusedTool[] = [];
  /** What was accepted cannot be read. It is not written either: a person may still mend it. */
  let unread: unknown = null;
  /** Writes follow each other, so that the last word stays the last. */
  let writing: Promise<unknown> = Promise.resolve();

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = writing.then(work);
    writing = done.catch(() => undefined);
    return done;
  }

  function take(next: readonly AcceptedTool[]): void {
    accepted = next;
    judged = judgeTools(seen, accepted);
    const isUnfit = new Set(unfit.map(({ name }) => name));
    const fit = judged.filter(({ name }) => !isUnfit.has(name));
    // A tool that was not accepted cannot take the name of a tool that agents use.
    const inOrder = [...fit.filter((tool) => tool.accepted), ...fit.filter((tool) => !tool.accepted)];
    const names = inOrder.map(({ name }) => name);
    refused = [...unfit, ...refuseSameNames(member, names)];
  }

  async function load(): Promise<void> {
    try {
      const record = await store.read(member);
      isFirstSight = record === null && unread === null;
      unread = null;
      take(record ?? []);
    } catch (error) {
      if (unread === null) onProblem(error);
      unread = error;
    }
  }

  return {
    /** Before the member is started. Where the record cannot be read, nothing counts as accepted. */
    load,

    /** Reads the record again if it could not be read before. */
    async recover(): Promise<void> {
      if (unread !== null) await load();
    },

    /** What a person should know about the tools besides, in sentences. */
    notes: (): string[] => [
      ...(unread === null ? [] : [noteOnUnread(unread)]),
      ...(leftOut.length === 0 ? [] : [noteOnLeftOut(leftOut)]),
      ...(refused.length === 0 ? [] : [noteOnRefused(refused)]),
    ],

    /** Those that no agent is offered, also after a person has accepted them. */
    refused: (): readonly RefusedTool[] => refused,

    /** Adding the member was the confirmation of all it had when it was first seen. */
    see(definitions: readonly ToolDefinition[], unusable: readonly string[]): void {
      leftOut = unusable;
      const byName = new Map(definitions.toReversed().map((definition) => [definition.name, definition]));
      seen = definitions
        .filter((definition) => byName.get(definition.name) === definition)
        .map((definition) => ({ hash: hashOf(definition), definition }));
      unfit = seen.flatMap(({ definition }) => refuseTool(member, definition));
      const isConfirmed = isFirstSight || isTrusted();
      const isNews = isFirstSight || judgeTools(seen, accepted).some((tool) => !tool.accepted);
      isFirstSight = false;
      take(isConfirmed ? withAccepted(accepted, seen) : accepted);
      if (isConfirmed && isNews && unread === null) inTurn(() => store.write(member, accepted)).catch(onProblem);
    },

    list: (): readonly MemberTool[] => judged,

    find(name: string): MemberTool {
      const tool = judged.find((each) => each.name === name);
      if (tool !== undefined) return tool;
      // Somebody else chose these names and their number; comparing must stay quick.
      const names = judged.slice(0, 1000).map((each) => each.name.slice(0, 100));
      throw new HallError("not_found", `Guild member "${member}" has no tool "${name}"${suggestion(name.slice(0, 100), names)}`);
    },

    /** Durable before it resolves. All of them or none. */
    async accept(tools: AcceptTools["tools"]): Promise<void> {
      const chosen = tools.map(({ name, hash }) => {
        const current = seen.find(({ definition }) => definition.name === name);
        if (current === undefined) throw new HallError("not_found", `Guild member "${member}" has no tool "${name}" at the moment.`);
        if (current.hash !== hash) {
          throw new HallError(
            "conflict",
            `The tool "${name}" of "${member}" changed again since you looked at it. Look at it once more, then accept it.`,
          );
        }
        return current;
      });
      await inTurn(async () => {
        if (unread !== null) await load();
        if (unread !== null) throw new HallError("conflict", noteOnUnread(unread), { cause: unread });
        await store.write(member, withAccepted(accepted, chosen));
        take(withAccepted(accepted, chosen));
      });
    },

    async forget(): Promise<void> {
      await writing;
      await store.forget(member);
    },

    /** Resolves when what was accepted is written. */
    settled: (): Promise<unknown> => writing,
  };
}

const noteOnUnread = (error: unknown): string =>
  `What was accepted of its tools cannot be read, so none counts as accepted. ${error instanceof Error ? error.message : String(error)}`;

function noteOnLeftOut(leftOut: readonly string[]): string {
  const count = leftOut.length === 1 ? "One tool is" : `${leftOut.length} tools are`;
  return `${count} left out for what the member says of them (${fewOf(leftOut)}).`;
}
