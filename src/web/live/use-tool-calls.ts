import { useEffect, useEffectEvent, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { ToolCall, ToolCallList } from "../../schema/tool-call.ts";
import type { JsonObject } from "../tool-form/json.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { useHallNews } from "./live-provider.tsx";

const pageSize = 10;

/** The calls the hall keeps of one tool: those that were made, and those that were saved. */
export function useToolCalls(member: MemberName, tool: string, onFailure: (sentence: string) => void) {
  const [made, setMade] = useState<{ calls: readonly ToolCall[]; next: string | null }>({ calls: [], next: null });
  const [saved, setSaved] = useState<readonly ToolCall[]>([]);
  const [deleted, setDeleted] = useState<ToolCall | null>(null);
  const [changes, setChanges] = useState(0);
  const [isUnread, setIsUnread] = useState(false);

  const show = useEffectEvent(({ history, kept }: Kept) => {
    setMade({ calls: history.calls, next: history.nextCursor });
    setSaved(kept.calls);
    setIsUnread(false);
  });
  useEffect(() => {
    let isCurrent = true;
    readCalls(member, tool).then(
      (read) => isCurrent && show(read),
      () => isCurrent && setIsUnread(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [member, tool, changes]);

  useHallNews(({ news }) => {
    if (news === "online" && isUnread) setChanges((before) => before + 1);
  });

  /** Does something with the hall, after which what it keeps is read again; a failure is told. */
  const act = async (action: () => Promise<unknown>): Promise<boolean> => {
    try {
      await action();
      setChanges((before) => before + 1);
      return true;
    } catch (failure) {
      onFailure(sentenceOf(failure, "act"));
      return false;
    }
  };
  const { tools } = createHallClient({ baseUrl: "" });
  const keep = (name: string, input: JsonObject) => act(() => tools.save({ member, tool, name, input }));
  return {
    made: made.calls,
    hasMore: made.next !== null,
    /** The hall could not be asked; what is shown is what was known before. */
    isUnread,
    saved,
    deleted,
    refresh: () => setChanges((before) => before + 1),
    more: async () => {
      if (made.next === null) return;
      const older = tools.calls({ member, tool, saved: "false", limit: pageSize, cursor: made.next });
      await older.then(
        ({ calls, nextCursor }) => setMade({ calls: [...made.calls, ...calls], next: nextCursor }),
        (failure: unknown) => onFailure(sentenceOf(failure, "read")),
      );
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

type Kept = { history: ToolCallList; kept: ToolCallList };

async function readCalls(member: MemberName, tool: string): Promise<Kept> {
  const { tools } = createHallClient({ baseUrl: "" });
  const [history, kept] = await Promise.all([
    tools.calls({ member, tool, saved: "false", limit: pageSize }),
    tools.calls({ member, tool, saved: "true", limit: 200 }),
  ]);
  return { history, kept };
}
