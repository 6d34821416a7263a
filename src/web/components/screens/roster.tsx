"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { counted } from "../../format/figures.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { Empty } from "../elements/empty.tsx";
import { AddMemberButton } from "../groups/add-member-button.tsx";
import { MemberRows } from "../groups/member-rows.tsx";
import { connectedOf } from "../groups/member-status.ts";
import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";
import { PersonNote } from "../groups/person-note.tsx";
import { RosterFilter } from "../groups/roster-filter.tsx";
import { RosterResults } from "../groups/roster-results.tsx";
import { findMembers, findTools, indexTools } from "../groups/roster-search.ts";

/** All members, and a search over all they can do. */
export function RosterScreen() {
  const members = useRoster();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  // Typing never waits for the list.
  const wanted = useDeferredValue(query.trim());
  const index = useMemo(() => indexTools(members), [members]);
  const found = useMemo(
    () => [...findMembers(members, wanted).map((member) => ({ member, tool: null })), ...findTools(index, wanted)],
    [members, index, wanted],
  );
  const tools = members.reduce((sum, { toolCount }) => sum + toolCount, 0);
  const current = Math.min(chosen, found.length - 1);
  return (
    <Page>
      <PageHead title="Roster" actions={<AddMemberButton variant="primary" />}>
        <span role="status" className="tabular-nums">
          {members.length === 0 ? "No members yet." : `${connectedOf(members)}, ${counted(tools, "tool")} in all.`}
        </span>
      </PageHead>
      <PersonNote to="add or restart members here" className="-mt-2 mb-4" />
      {members.length === 0 ? (
        <Empty isWholePage title="No members yet" action={<AddMemberButton />}>
          A member is a program whose tools you can run by hand and give to the agents of your sessions. It is a folder in guild-members/.
        </Empty>
      ) : (
        <>
          <RosterFilter
            query={query}
            found={wanted === "" ? null : found}
            chosen={current}
            onQuery={(text) => {
              setQuery(text);
              setChosen(0);
            }}
            onChoose={setChosen}
          />
          {wanted === "" ? (
            <MemberRows members={members} detailed />
          ) : (
            <RosterResults found={found} chosen={current} query={wanted} onClear={() => setQuery("")} />
          )}
        </>
      )}
    </Page>
  );
}
