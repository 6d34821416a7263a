import { useCallback, useEffect, useState } from "react";
import { createHallClient } from "../../../client/hall-client.ts";
import type { MemberName } from "../../../schema/ids.ts";
import type { ToolCall } from "../../../schema/tool-call.ts";
import type { JsonObject } from "../../tool-form/json.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { useShell } from "./shell-context.ts";

const pageSize = 10;

/** The calls the hall keeps of one tool: those that were made, and those that were saved. */
export function useToolCalls(member: MemberName, tool: string) {
  const { say } = useShell();
  const [made, setMade] = useState<{ calls: readonly ToolCall[]; next: string | null }>({ calls: [], next: null });
  const [saved, setSaved] = useState<readonly ToolCall[]>([]);
  const [deleted, setDeleted] = useState<ToolCall | null>(null);

  const refresh = useCallback(async () => {
    const { tools } = createHallClient({ baseUrl: "" });
    const [history, kept] = await Promise.all([
      tools.calls({ member, tool, saved: "false", limit: pageSize }),
      tools.calls({ member, tool, saved: "true", limit: 200 }),
    ]);
    setMade({ calls: history.calls, next: history.nextCursor });
    setSaved(kept.calls);
  }, [member, tool]);
  /** Does something with the hall and shows what holds afterwards; a failure is told. */
  const act = useCallback(
    async (action: () => Promise<unknown>): Promise<boolean> => {
      try {
        await action();
        await refresh();
        return true;
      } catch (failure) {
        say(sentenceOf(failure), "failed");
        return false;
      }
    },
    [refresh, say],
  );
  useEffect(() => void act(async () => undefined), [act]);

  const { tools } = createHallClient({ baseUrl: "" });
  const keep = (name: string, input: JsonObject) => act(() => tools.save({ member, tool, name, input }));
  return {
    made: made.calls,
    hasMore: made.next !== null,
    saved,
    deleted,
    refresh: () => void act(async () => undefined),
    more: async () => {
      if (made.next === null) return;
      const older = await tools.calls({ member, tool, saved: "false", limit: pageSize, cursor: made.next });
      setMade({ calls: [...made.calls, ...older.calls], next: older.nextCursor });
    },
    save: keep,
    remove: async (call: ToolCall) => {
      if (await act(() => tools.forget(call.id))) setDeleted(call);
    },
    undo: async () => {
      if (deleted !== null && (await keep(deleted.name ?? "", deleted.input))) setDeleted(null);
    },
  };
}
