"use client";

import Link from "next/link";
import { memberOffer } from "../../../client/member-offer.ts";
import { joinCommandLine } from "../../format/command-line.ts";
import { memberHref } from "../../format/member-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { MemberGlance } from "../../live/member-glance.ts";
import { buttonClass } from "../elements/button.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { UpTime } from "../elements/up-time.tsx";
import { canRestart, memberStatus } from "./member-status.ts";
import { MemberToolLinks } from "./member-tool-links.tsx";
import { RestartMemberButton } from "./restart-member-button.tsx";

type MemberRowProps = {
  member: MemberGlance;
  /** False for a second one that claims a name, and for a folder's name that is none: no address leads to it. */
  hasPage: boolean;
  /** With its program and more of its tools, where there is room. */
  detailed?: boolean;
};

/** One member in a list; it opens to its tools. One in trouble says why, and what to press. */
export function MemberRow({ member, hasPage, detailed = false }: MemberRowProps) {
  const { status, word } = memberStatus(member);
  return (
    <div className="border-line not-first:border-t">
      <details data-member={member.folder}>
        <summary className={`${summaryLook} ${detailed ? detailedColumns : columns}`}>
          <MemberMonogram name={member.name} size={28} />
          <span className="min-w-0">
            <bdi className="block truncate font-semibold">{member.displayName}</bdi>
            <bdi className="block truncate text-xs text-ink-3" title={lineOf(member).slice(0, 1000)}>
              {lineOf(member)}
            </bdi>
          </span>
          {detailed ? <Program member={member} /> : null}
          <span className="grid justify-items-end">
            <Status of={status} word={word} />
            <span className="text-xs text-ink-3 tabular-nums">{memberOffer(member)}</span>
          </span>
        </summary>
        {member.error === null ? null : (
          <p className="pr-3 pb-2.5 pl-[50px] text-xs whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
            {visibleText(member.error)}
          </p>
        )}
        {member.note === undefined ? null : (
          <p className="pr-3 pb-2.5 pl-[50px] text-xs text-ink-2 [overflow-wrap:anywhere]">{member.note}</p>
        )}
        {hasPage ? <MemberToolLinks member={member} look={detailed ? "wide" : "row"} /> : null}
      </details>
      {member.status === "error" && hasPage ? (
        <div className="flex flex-wrap items-center gap-1.5 pr-3 pb-2.5 pl-[50px]">
          {canRestart(member) ? <RestartMemberButton member={member} /> : null}
          <Link href={memberHref(member.name)} prefetch={false} className={buttonClass("ghost", "sm", canRestart(member) ? "" : "-ml-2.5")}>
            What happened
          </Link>
        </div>
      ) : null}
    </div>
  );
}

const summaryLook = "grid list-none items-center gap-x-2.5 px-3 py-[9px] hover:bg-hover focus-visible:-outline-offset-2 max-rail:min-h-15";
const columns = "grid-cols-[28px_minmax(0,1fr)_auto]";
const detailedColumns = `${columns} column:grid-cols-[28px_minmax(0,5fr)_minmax(0,4fr)_110px]`;

const lineOf = ({ error, description }: MemberGlance): string =>
  error === null || error === "" ? description : (visibleText(error).split("\n", 1)[0] ?? "");

const Program = ({ member }: { member: MemberGlance }) => (
  <span className="min-w-0 max-column:hidden">
    <span className="block truncate font-mono text-xs text-ink-2">{visibleText(joinCommandLine(member.command))}</span>
    <span className="flex gap-2.5 text-xs text-ink-3">
      {member.transport === null ? null : <span>{member.transport}</span>}
      {member.version === "" ? null : <span className="truncate">{member.version}</span>}
      {member.startedAt === null ? null : <UpTime since={member.startedAt} />}
    </span>
  </span>
);
