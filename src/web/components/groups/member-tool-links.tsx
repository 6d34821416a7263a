import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { counted } from "../../format/figures.ts";
import { memberHref } from "../../format/member-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { MemberGlance } from "../../live/member-glance.ts";
import { Icon } from "../elements/icon.tsx";

/** How much room there is for them. */
type Room = "row" | "wide" | "compact";

/** A member's first tools, each a way to its form, and the way to all of them. */
export function MemberToolLinks({ member, look = "row" }: { member: MemberGlance; look?: Room }) {
  const most = look === "wide" ? 24 : 5;
  const more = member.tools.length - most;
  // The way to the page of one in trouble is beside its trouble.
  if (member.tools.length === 0 && member.status === "error") return null;
  return (
    <ul className={`grid grid-cols-[minmax(0,1fr)] pb-2 ${looks[look]}`}>
      {member.tools.slice(0, most).map((tool) => (
        <li key={tool.name} className="min-w-0">
          <Link href={memberHref(member.name, tool.name)} prefetch={false} className={`group/tool ${line} hover:bg-hover`}>
            <code className="max-w-[60%] flex-none truncate bg-transparent p-0 text-[12px] text-ink">{visibleText(tool.name)}</code>
            <bdi className="min-w-0 truncate">{tool.accepted ? tool.summary : "changed, waits for you"}</bdi>
            <Icon
              of={ChevronRight}
              className="ml-auto size-[13px] self-center opacity-0 group-hover/tool:opacity-100 group-focus-visible/tool:opacity-100"
            />
          </Link>
        </li>
      ))}
      <li className="min-w-0">
        <Link href={memberHref(member.name)} prefetch={false} className={line}>
          <span className="truncate text-ink-2 underline decoration-control underline-offset-3 hover:text-ink">
            {more > 0 ? counted(more, "more tool") : <bdi>Open {member.displayName}</bdi>}
          </span>
        </Link>
      </li>
    </ul>
  );
}

const looks: Record<Room, string> = {
  row: "pr-2 pl-[44px]",
  wide: "pr-2 pl-[44px] column:grid-cols-2 column:gap-x-6",
  compact: "pl-[22px]",
};

const line = "flex items-baseline gap-2 rounded-1 px-1.5 py-1 text-xs leading-5 text-ink-3 max-rail:min-h-11 max-rail:items-center";
