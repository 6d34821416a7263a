"use client";

import { counted } from "../../format/figures.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { isReachable } from "./member-status.ts";

/** There is room for no more beside what is being written. */
const shownMembers = 6;

/** Whose tools the agent can use when it answers, and how many they are. */
export function SessionTools({ names }: { names: readonly string[] }) {
  const roster = useRoster();
  if (names.length === 0) return null;
  const members = roster.filter((member) => names.includes(member.name) && isReachable(member, roster));
  const tools = members.reduce((sum, { toolCount }) => sum + toolCount, 0);
  return (
    <>
      <span className="flex gap-[3px]">
        {names.slice(0, shownMembers).map((name) => (
          <MemberMonogram key={name} name={name} size={18} />
        ))}
      </span>
      <span className="text-xs text-ink-3 tabular-nums">{counted(tools, "tool")}</span>
    </>
  );
}
