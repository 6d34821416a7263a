import { useEffect, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { MemberLogs } from "../../schema/roster.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { useIsVisible } from "./use-is-visible.ts";

/** The hall does not tell of every line a member writes, so it is asked. */
const pauseMs = 1500;

export type MemberLog = { logs: MemberLogs | null; failure: string | null };

/** What a member wrote to stderr, read again and again for as long as somebody looks. */
export function useMemberLog(name: string): MemberLog {
  const [log, setLog] = useState<MemberLog>({ logs: null, failure: null });
  const isVisible = useIsVisible();
  useEffect(() => {
    if (!isVisible) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const read = async () => {
      const next = await createHallClient({ baseUrl: "" })
        .roster.logs(name)
        .then(
          (logs) => ({ logs, failure: null }),
          (error: unknown) => ({ failure: sentenceOf(error, "read") }),
        );
      if (!isWanted) return;
      setLog((before) => (isSame(before, next) ? before : { ...before, ...next }));
      timer = setTimeout(() => void read(), pauseMs);
    };
    void read();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [name, isVisible]);
  return log;
}

const isSame = (before: MemberLog, next: Partial<MemberLog>): boolean =>
  before.failure === next.failure && before.logs !== null && before.logs.text === next.logs?.text;
