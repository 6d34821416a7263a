"use client";

import { useEffect, useRef } from "react";
import { useRoster } from "../../live/roster-provider.tsx";
import type { MemberGlance } from "../../live/member-glance.ts";
import { MemberRow } from "./member-row.tsx";
import { isReachable } from "./member-status.ts";

/** Members below one another. Arrows move over them and over what they have open. */
export function MemberRows({ members, detailed = false }: { members: readonly MemberGlance[]; detailed?: boolean }) {
  const all = useRoster();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const rows = box.current;
    rows?.addEventListener("keydown", moveFocus);
    return () => rows?.removeEventListener("keydown", moveFocus);
  }, []);
  return (
    <div ref={box} role="group" aria-label="Members" className="overflow-hidden rounded-3 border border-line bg-surface">
      {members.map((member) => (
        <MemberRow key={member.folder} member={member} hasPage={isReachable(member, all)} detailed={detailed} />
      ))}
    </div>
  );
}

function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("summary, a, button")].filter((stop) => stop.checkVisibility());
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[at + step];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
