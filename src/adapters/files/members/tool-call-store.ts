import { createTurns } from "../../../core/in-turn.ts";
import type { ToolCallStore } from "../../../core/roster/tool-call-store.ts";
import { HallError } from "../../../schema/hall-error.ts";
import { ToolCallId } from "../../../schema/ids.ts";
import type { ToolCall, ToolCallQuery } from "../../../schema/tool-call.ts";
import { disk } from "../disk.ts";
import type { Disk } from "../disk.ts";
import type { Layout } from "../layout.ts";
import { createCallHistory } from "./call-history.ts";
import { createSavedCalls } from "./saved-calls.ts";

export type ToolCallStoreDeps = { layout: Layout; onProblem: (error: unknown) => void; disk?: Disk };

/** Ids sort by time, so the newest call has the greatest. */
export function createToolCallStore({ layout, onProblem, disk: on = disk }: ToolCallStoreDeps): ToolCallStore {
  const inTurn = createTurns<"calls">();
  const history = createCallHistory({ layout, onProblem, on });
  const saved = createSavedCalls({ layout, on });

  /** A file that cannot be read hides what is in it, and nothing else. */
  const orNone = (read: Promise<ToolCall[]>): Promise<ToolCall[]> =>
    read.catch((error: unknown) => {
      onProblem(error);
      return [];
    });

  return {
    add: (call) => inTurn("calls", () => (call.name === null ? history.add(call) : saved.add(call))),

    list: (query) =>
      inTurn("calls", async () => {
        const after = query.cursor === undefined ? null : idOf(query.cursor);
        const kept = query.saved === "false" ? [] : await orNone(saved.read());
        const made = query.saved === "true" ? [] : await orNone(history.read());
        const wanted = [...kept, ...made]
          .filter((call) => isAskedFor(call, query) && (after === null || call.id < after))
          .toSorted((a, b) => (a.id < b.id ? 1 : -1));
        const page = wanted.slice(0, query.limit);
        return { calls: page, nextCursor: wanted.length > page.length ? (page.at(-1)?.id ?? null) : null };
      }),

    remove: (id) => inTurn("calls", async () => (await history.remove(id)) || saved.remove(id)),
  };
}

const isAskedFor = (call: ToolCall, { member, tool }: ToolCallQuery): boolean =>
  (member === undefined || call.member === member) && (tool === undefined || call.tool === tool);

function idOf(cursor: string): ToolCallId {
  const { data } = ToolCallId.safeParse(cursor);
  if (data !== undefined) return data;
  throw new HallError("bad_request", "This cursor is not one the hall gave. Start again without a cursor.");
}
