"use client";

import { UserRoundPlus } from "lucide-react";
import { useState } from "react";
import type { Session } from "../../../schema/session.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import type { SidePart } from "../../live/use-side-panel.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { CompactMember } from "./compact-member.tsx";
import { isReachable } from "./member-status.ts";
import { SessionMembersDialog } from "./session-members-dialog.tsx";
import { SessionPanelSection } from "./session-panel-section.tsx";

/** Whose tools the agent of this session has. */
export function SessionMembers({ session, shown }: { session: Session; shown: SidePart }) {
  const roster = useRoster();
  const [isChoosing, setIsChoosing] = useState(false);
  const own = session.members.map((name) => ({ name, member: roster.find((each) => each.name === name && isReachable(each, roster)) }));
  return (
    <SessionPanelSection
      part="members"
      title="Members"
      aside={session.members.length}
      action={
        <Button
          size="icon"
          aria-label="Change members"
          title="Add or remove members of this session"
          aria-haspopup="dialog"
          icon={<Icon of={UserRoundPlus} />}
          onClick={() => setIsChoosing(true)}
        />
      }
      shown={shown}
    >
      {own.length === 0 ? <p className="text-xs text-ink-3">This session has none, so its agent has no tools but its own.</p> : null}
      {own.map(({ name, member }) =>
        member === undefined ? <GoneMember key={name} name={name} /> : <CompactMember key={name} member={member} hasPage />,
      )}
      <SessionMembersDialog session={session} isOpen={isChoosing} onClose={() => setIsChoosing(false)} />
    </SessionPanelSection>
  );
}

const GoneMember = ({ name }: { name: string }) => (
  <div className="flex min-h-[30px] items-center gap-2 text-ink-3">
    <MemberMonogram name={name} size={20} />
    <bdi className="truncate">{name}</bdi>
    <span className="ml-auto flex">
      <Status of="disconnected" word="No longer there" />
    </span>
  </div>
);
