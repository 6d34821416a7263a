"use client";

import Link from "next/link";
import { useRoster } from "../../live/roster-provider.tsx";
import type { SidePart } from "../../live/use-side-panel.ts";
import { AddMemberButton } from "./add-member-button.tsx";
import { CompactMember } from "./compact-member.tsx";
import { PersonNote } from "./person-note.tsx";
import { connectedOf, isReachable } from "./member-status.ts";
import { hiddenInColumn, sectionClass, sectionHeadClass } from "./session-panel-section.tsx";

/** Who else there is, besides the members of this session. */
export function SessionPanelRoster({ names, shown }: { names: readonly string[]; shown: SidePart }) {
  const roster = useRoster();
  const others = roster.filter((member) => !(names.includes(member.name) && isReachable(member, roster)));
  return (
    <section aria-labelledby="session-roster" className={`${sectionClass} ${shown === "members" ? "" : hiddenInColumn}`}>
      <div className={sectionHeadClass}>
        <h2 id="session-roster">Roster</h2>
        <span className="text-xs text-ink-3 tabular-nums">{connectedOf(roster)}</span>
        <AddMemberButton variant="ghost" size="sm" className="ml-auto" />
      </div>
      <PersonNote to="add or restart members here" className="mb-1.5" />
      {others.map((member) => (
        <CompactMember key={member.folder} member={member} hasPage={isReachable(member, roster)} />
      ))}
      <p className="mt-1.5 text-xs text-ink-3">
        {others.length === 0 ? "No others are there. " : "The agent of this session does not have their tools; you can run them by hand. "}
        <Link href="/roster" prefetch={false} className="underline decoration-control underline-offset-3 hover:text-ink">
          Find a tool
        </Link>
      </p>
    </section>
  );
}
