"use client";

import type { Session } from "../../../schema/session.ts";
import { MemberCallers } from "../groups/member-callers.tsx";
import { MemberChanges } from "../groups/member-changes.tsx";
import { MemberConnection } from "../groups/member-connection.tsx";
import { useMemberHandle } from "../groups/member-context.ts";
import { MemberFacts } from "../groups/member-facts.tsx";

/** A member before one of its tools is chosen: how it is connected, what waits for a person, who may call it. */
export function MemberOverview({ sessions, hasMore }: { sessions: readonly Session[]; hasMore: boolean }) {
  const handle = useMemberHandle();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 column:grid-cols-[minmax(0,1fr)_minmax(0,340px)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {handle.member.status === "error" ? <MemberConnection handle={handle} /> : null}
        <MemberChanges handle={handle} />
        {handle.member.status === "error" ? null : <MemberConnection handle={handle} />}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <MemberCallers sessions={sessions} hasMore={hasMore} />
        <MemberFacts member={handle.member} />
      </div>
    </div>
  );
}
