"use client";

import { useRoster } from "../../live/roster-provider.tsx";
import { Empty } from "../elements/empty.tsx";
import { AddMemberButton } from "./add-member-button.tsx";
import { MemberRows } from "./member-rows.tsx";
import { PersonNote } from "./person-note.tsx";
import { connectedOf } from "./member-status.ts";

/** All members beside something else: who there is, how they are, and what they can do. */
export function RosterPanel({ remark }: { remark?: string }) {
  const members = useRoster();
  return (
    <section aria-labelledby="roster" className="min-w-0">
      <div className="mb-3 flex min-h-7 items-center gap-2">
        <h2 id="roster">Roster</h2>
        {members.length === 0 ? null : (
          <span role="status" className="text-xs text-ink-3 tabular-nums">
            {connectedOf(members)}
          </span>
        )}
        <AddMemberButton variant="ghost" size="sm" className="ml-auto" />
      </div>
      <PersonNote to="add or restart members here" className="mb-3" />
      {members.length === 0 ? (
        <Empty title="No members yet">A member is a program whose tools you and your agents can use. Add one, and it appears here.</Empty>
      ) : (
        <MemberRows members={members} />
      )}
      {remark === undefined ? null : <p className="mt-2.5 text-xs text-ink-3">{remark}</p>}
    </section>
  );
}
