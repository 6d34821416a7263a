"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useDeferredValue, useState } from "react";
import type { Member, MemberTool } from "../../../schema/roster.ts";
import { memberHref } from "../../format/member-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import { summaryOf } from "../../live/member-glance.ts";
import { Input } from "../elements/input.tsx";
import { Status } from "../elements/status.tsx";

/** Fewer are found by looking. */
const worthFiltering = 12;

/** A member's tools, each a link to its form. */
export function MemberTools({ member }: { member: Member }) {
  const [query, setQuery] = useState("");
  const path = usePathname();
  const home = memberHref(member.name);
  const wanted = useDeferredValue(query).trim().toLowerCase();
  const shown = wanted === "" ? member.tools : member.tools.filter((tool) => isFound(tool, wanted));
  return (
    <nav
      aria-label={`Tools of ${member.displayName}`}
      className="grid min-w-0 gap-px wide:sticky wide:top-0 wide:max-h-[calc(100dvh-var(--top-h)-48px)] wide:overflow-y-auto"
    >
      <div className="mb-1 flex min-h-7 items-center gap-2">
        <h2>Tools</h2>
        <span className="text-xs text-ink-3 tabular-nums">
          {shown.length === member.tools.length ? member.tools.length : `${shown.length} of ${member.tools.length}`}
        </span>
        <Link
          href={home}
          prefetch={false}
          aria-current={path === home ? "page" : undefined}
          className="ml-auto inline-flex min-h-6 items-center rounded-1 px-1.5 text-xs text-ink-2 hover:bg-hover hover:text-ink aria-[current]:hidden max-rail:min-h-11"
        >
          How it is
        </Link>
      </div>
      {member.tools.length < worthFiltering ? null : (
        <Input
          type="search"
          aria-label={`Find a tool of ${member.displayName}`}
          placeholder="Find a tool"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="mb-2"
        />
      )}
      <ul className="gap-px max-wide:flex max-wide:overflow-x-auto wide:grid">
        {shown.map((tool) => (
          <li key={tool.name} className="flex-none [contain-intrinsic-size:auto_48px] [content-visibility:auto]">
            <ToolLink href={memberHref(member.name, tool.name)} tool={tool} path={path} />
          </li>
        ))}
      </ul>
      {member.tools.length === 0 ? <p className="text-xs text-ink-3">None are known yet.</p> : null}
    </nav>
  );
}

const isFound = ({ name, description }: MemberTool, wanted: string): boolean =>
  name.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted);

function ToolLink({ href, tool, path }: { href: string; tool: MemberTool; path: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-current={path === href ? "page" : undefined}
      className="block max-w-[216px] rounded-2 px-[9px] py-1.5 hover:bg-hover focus-visible:-outline-offset-2 aria-[current]:bg-selected aria-[current]:shadow-[inset_3px_0_0_var(--brass-fill)] max-rail:min-h-11 max-rail:content-center"
    >
      <code className="block truncate bg-transparent p-0">{visibleText(tool.name)}</code>
      <bdi className="block truncate text-xs text-ink-3 max-wide:hidden">{summaryOf(tool.description)}</bdi>
      {tool.accepted ? null : <Status of="waiting" word="Changed" />}
    </Link>
  );
}
