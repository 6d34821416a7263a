"use client";

import { createContext, use, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReactNode } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { useHallNews } from "./live-provider.tsx";
import { glanceAt } from "./member-glance.ts";
import type { MemberGlance } from "./member-glance.ts";
import { createRosterReader } from "./roster-reader.ts";
import type { RosterReader } from "./roster-reader.ts";
import { useIsVisible } from "./use-is-visible.ts";

const RosterContext = createContext<readonly MemberGlance[] | null>(null);

/** Keeps the Roster true for everything below. A tab out of sight reads again when it is looked at. */
export function RosterProvider({ initial, children }: { initial: readonly MemberGlance[]; children: ReactNode }) {
  const [members, setMembers] = useState(initial);
  const isVisible = useIsVisible();
  const reader = useRef<RosterReader>(null);
  const hasMissed = useRef(false);
  const knownNames = useEffectEvent(() => members.map(({ name }) => name));

  useEffect(() => {
    const opened = createRosterReader({
      client: createHallClient({ baseUrl: "" }).roster,
      knownNames: () => knownNames(),
      onAll: (all) => setMembers(all.map(glanceAt)),
      onOne: (one) => setMembers((before) => before.map((member) => (member.folder === one.folder ? glanceAt(one) : member))),
    });
    reader.current = opened;
    return () => opened.close();
  }, []);

  useHallNews((news) => {
    if (news.news === "offline") return;
    const event = news.news === "event" ? news.event : null;
    if (event !== null && event.event !== "roster") return;
    if (!isVisible) hasMissed.current = true;
    // Gone, or new: only the whole list tells where it stands.
    else if (event !== null && event.data.status !== null) reader.current?.changed(event.data.id);
    else reader.current?.readAll();
  });
  useEffect(() => {
    if (!isVisible || !hasMissed.current) return;
    hasMissed.current = false;
    reader.current?.readAll();
  }, [isVisible]);

  return <RosterContext value={members}>{children}</RosterContext>;
}

/** All members of the hall as they are now. */
export function useRoster(): readonly MemberGlance[] {
  const members = use(RosterContext);
  if (members === null) throw new Error("useRoster needs a RosterProvider above it.");
  return members;
}
