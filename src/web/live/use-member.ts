import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { AcceptTools, Member } from "../../schema/roster.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import type { Purpose } from "../format/sentence-of.ts";
import { useLatestReading } from "./latest-reading.ts";
import { useHallNews, useLive } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

export type MemberHandle = {
  member: Member;
  /** Somebody removed it while its page was open. */
  isGone: boolean;
  /** What the last thing that was asked of it came to, where that was a failure; else why it could not be read. */
  failure: string | null;
  /** Somebody turns to something else: what was asked before is not told any more. */
  forgive: () => void;
  isRestarting: boolean;
  restart: () => Promise<boolean>;
  remove: () => Promise<boolean>;
  accept: (tools: AcceptTools["tools"]) => Promise<boolean>;
};

/** What somebody asked for and did not get stays to be read, however often the member is read again meanwhile. */
type Failures = { asked: string | null; read: string | null };

/** One member with the whole definitions of its tools, as it is now, and what can be done with it. */
export function useMember(initial: Member): MemberHandle {
  const { name } = initial;
  const [member, setMember] = useState(initial);
  const [isGone, setIsGone] = useState(false);
  const [failures, setFailures] = useState<Failures>({ asked: null, read: null });
  const [isRestarting, setIsRestarting] = useState(false);
  const isVisible = useIsVisible();
  // A page that is come back to is as it was left, and no "online" follows where the stream stands.
  const hasMissed = useRef(useLive().state === "online");
  const takeLatest = useLatestReading();

  async function attempt(action: () => Promise<void>, purpose: Purpose = "act"): Promise<boolean> {
    const keep = (failure: string | null) => setFailures((before) => ({ ...before, [purpose === "read" ? "read" : "asked"]: failure }));
    try {
      await action();
      keep(null);
      return true;
    } catch (error) {
      if (error instanceof HallError && error.code === "not_found") setIsGone(true);
      else keep(sentenceOf(error, purpose));
      return false;
    }
  }

  const take = (answer: Promise<Member>) => takeLatest(answer, setMember);
  const read = useEffectEvent(() => attempt(() => take(client().get(name)), "read"));

  useHallNews((news) => {
    if (news.news === "offline") return;
    if (news.news === "event") {
      if (news.event.event !== "roster" || news.event.data.id !== name) return;
      if (news.event.data.status === null) return setIsGone(true);
    }
    if (isVisible) void read();
    else hasMissed.current = true;
  });
  useEffect(() => {
    if (!isVisible || !hasMissed.current) return;
    hasMissed.current = false;
    void read();
  }, [isVisible]);

  return {
    member,
    isGone,
    failure: failures.asked ?? failures.read,
    forgive: () => setFailures((before) => ({ ...before, asked: null })),
    isRestarting,
    restart: async () => {
      setIsRestarting(true);
      const isDone = await attempt(() => take(client().restart(name)));
      setIsRestarting(false);
      return isDone;
    },
    remove: () => attempt(async () => void (await client().remove(name))),
    accept: (tools) => attempt(() => take(client().accept(name, tools))),
  };
}

const client = () => createHallClient({ baseUrl: "" }).roster;
