"use client";

import Link from "next/link";
import { useRoster } from "../../live/roster-provider.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { AddMemberButton } from "./add-member-button.tsx";
import { CompactMember } from "./compact-member.tsx";
import { connectedOf, isReachable } from "./member-status.ts";

/** Whose tools the agent of this session has, and who else there is. */
export function SessionMembers({ names }: { names: readonly string[] }) {
  const roster = useRoster();
  const own = names.map((name) => ({ name, member: roster.find((each) => each.name === name && isReachable(each, roster)) }));
  const others = roster.filter((member) => !own.some((each) => each.member === member));
  return (
    <>
      <section aria-labelledby="session-members" className={section}>
        <div className={head}>
          <h2 id="session-members">Members</h2>
          <span className="text-xs text-ink-3 tabular-nums">{names.length}</span>
        </div>
        {own.length === 0 ? <p className="text-xs text-ink-3">This session has none. You choose them when you start one.</p> : null}
        {own.map(({ name, member }) =>
          member === undefined ? <GoneMember key={name} name={name} /> : <CompactMember key={name} member={member} hasPage />,
        )}
      </section>
      <section aria-labelledby="session-roster" className={section}>
        <div className={head}>
          <h2 id="session-roster">Roster</h2>
          <span className="text-xs text-ink-3 tabular-nums">{connectedOf(roster)}</span>
          <AddMemberButton variant="ghost" size="sm" className="ml-auto" />
        </div>
        {others.map((member) => (
          <CompactMember key={member.folder} member={member} hasPage={isReachable(member, roster)} />
        ))}
        <p className="mt-1.5 text-xs text-ink-3">
          {others.length === 0
            ? "No others are there. "
            : "The agent of this session does not have their tools; you can run them by hand. "}
          <Link href="/roster" prefetch={false} className="underline decoration-control underline-offset-3 hover:text-ink">
            Find a tool
          </Link>
        </p>
      </section>
    </>
  );
}

const section = "border-line px-4 pt-3 pb-3.5 not-first:border-t";
const head = "mb-2 flex min-h-[26px] items-center gap-2";

const GoneMember = ({ name }: { name: string }) => (
  <div className="flex min-h-[30px] items-center gap-2 text-ink-3">
    <MemberMonogram name={name} size={20} />
    <bdi className="truncate">{name}</bdi>
    <span className="ml-auto flex">
      <Status of="disconnected" word="No longer there" />
    </span>
  </div>
);
