"use client";

import { useState } from "react";
import { memberOffer } from "../../../client/member-offer.ts";
import { counted } from "../../format/figures.ts";
import type { MemberGlance } from "../../live/member-glance.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { Checkbox } from "../elements/checkbox.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { isReachable, memberStatus } from "./member-status.ts";

/** Which members a session gets. One that is not available may be chosen all the same: it may be back in a minute. */
export function ChooseMembers({ name }: { name: string }) {
  const roster = useRoster();
  const members = roster.filter((member) => isReachable(member, roster));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (member: string, isWanted: boolean) =>
    setChosen((before) => new Set(isWanted ? [...before, member] : [...before].filter((other) => other !== member)));
  if (members.length === 0) return null;
  const tools = members.filter((member) => chosen.has(member.name)).reduce((sum, { toolCount }) => sum + toolCount, 0);
  return (
    <fieldset className="min-w-0">
      <legend className="flex items-baseline gap-2 font-medium">
        Members
        <span className="text-xs font-normal text-ink-3 tabular-nums">{`${chosen.size} chosen, ${counted(tools, "tool")}`}</span>
      </legend>
      <div className="mt-1.5 grid max-h-[min(40vh,320px)] grid-cols-2 gap-2 overflow-y-auto p-0.5 max-rail:grid-cols-1">
        {members.map((member) => (
          <Checkbox
            key={member.folder}
            name={name}
            value={member.name}
            checked={chosen.has(member.name)}
            onChange={(event) => toggle(member.name, event.target.checked)}
            isUnavailable={member.status !== "connected"}
          >
            <MemberChoice member={member} />
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

export function MemberChoice({ member }: { member: MemberGlance }) {
  const { status, word } = memberStatus(member);
  return (
    <>
      <MemberMonogram name={member.name} size={20} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">{member.displayName}</bdi>
        {member.error === null ? null : (
          <bdi className="block truncate text-xs text-ink-3" title={member.error.slice(0, 1000)}>
            {member.error}
          </bdi>
        )}
      </span>
      {status === "connected" ? (
        <span className="flex-none text-xs text-ink-3 tabular-nums">{memberOffer(member)}</span>
      ) : (
        <Status of={status} word={word} />
      )}
    </>
  );
}
