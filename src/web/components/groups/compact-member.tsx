"use client";

import { memberOffer } from "../../../client/member-offer.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { MemberGlance } from "../../live/member-glance.ts";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { canRestart, memberStatus } from "./member-status.ts";
import { MemberToolLinks } from "./member-tool-links.tsx";
import { RestartMemberButton } from "./restart-member-button.tsx";

/** A member in one line, for narrow columns; it opens to its tools, or to what is wrong with it. */
export function CompactMember({ member, hasPage }: { member: MemberGlance; hasPage: boolean }) {
  const { status, word } = memberStatus(member);
  return (
    <details>
      <summary className="-mx-1.5 flex min-h-[30px] list-none items-center gap-2 rounded-1 px-1.5 hover:bg-hover focus-visible:-outline-offset-2 max-rail:min-h-11">
        <MemberMonogram name={member.name} size={20} />
        <bdi className="min-w-0 truncate">{member.displayName}</bdi>
        <span className="flex-none text-xs text-ink-3 tabular-nums">{memberOffer(member)}</span>
        <span className="ml-auto flex flex-none">
          <Status of={status} word={word} />
        </span>
      </summary>
      {member.error === null ? null : (
        <div className="grid justify-items-start gap-1.5 pt-1 pb-2 pl-7">
          <p className="text-xs whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">{visibleText(member.error)}</p>
          {canRestart(member) ? <RestartMemberButton member={member} /> : null}
        </div>
      )}
      {hasPage ? <MemberToolLinks member={member} look="compact" /> : null}
    </details>
  );
}
