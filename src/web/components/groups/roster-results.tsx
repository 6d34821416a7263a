"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { Virtualizer } from "virtua";
import type { VirtualizerHandle } from "virtua";
import { memberHref } from "../../format/member-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { MemberGlance, ToolGlance } from "../../live/member-glance.ts";
import { Button } from "../elements/button.tsx";
import { Empty } from "../elements/empty.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { memberStatus } from "./member-status.ts";

/** A tool, or a member itself. */
export type Found = { member: MemberGlance; tool: ToolGlance | null };

export const resultsId = "roster-results";
export const foundId = (at: number): string => `found-${at}`;
export const foundHref = ({ member, tool }: Found): string => memberHref(member.name, tool?.name);

type RosterResultsProps = { found: readonly Found[]; chosen: number; query: string; onClear: () => void };

/** High enough for a thumb, so that it is one height everywhere. */
const rowHeight = 44;

/** What was found. Only the rows in sight are drawn, however many there are. */
export function RosterResults({ found, chosen, query, onClear }: RosterResultsProps) {
  const rows = useRef<VirtualizerHandle>(null);
  useEffect(() => {
    if (chosen >= 0) rows.current?.scrollToIndex(chosen, { align: "nearest" });
  }, [chosen, found]);
  if (found.length === 0) {
    return (
      <Empty
        isWholePage
        title={`Nothing matches “${query}”`}
        action={
          <Button size="sm" onClick={onClear}>
            Show all members
          </Button>
        }
      >
        Names and descriptions of all tools, and the names of their members, were searched.
      </Empty>
    );
  }
  return (
    <div
      id={resultsId}
      role="listbox"
      aria-label="Tools found"
      // The arrows of the input move in it; a pointer scrolls it, and a keyboard must be able to as well.
      tabIndex={0}
      className="max-h-[calc(100dvh-250px)] overflow-y-auto rounded-3 border border-line bg-surface [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      <Virtualizer ref={rows} data={found} itemSize={rowHeight} keepMounted={chosen < 0 ? [] : [chosen]}>
        {(each, at) => <FoundRow key={at} found={each} at={at} of={found.length} isChosen={at === chosen} />}
      </Virtualizer>
    </div>
  );
}

type FoundRowProps = { found: Found; at: number; of: number; isChosen: boolean };

function FoundRow({ found, at, of: count, isChosen }: FoundRowProps) {
  const { member, tool } = found;
  const router = useRouter();
  const { status, word } = memberStatus(member);
  return (
    // Focus stays in the input, which opens the chosen one on Enter.
    <button
      id={foundId(at)}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-posinset={at + 1}
      aria-setsize={count}
      onClick={() => router.push(foundHref(found))}
      style={{ height: rowHeight }}
      className="flex w-full items-center gap-2.5 border-t border-line px-3 text-left hover:bg-hover aria-selected:bg-selected aria-selected:shadow-[inset_3px_0_0_var(--brass-fill)]"
    >
      <MemberMonogram name={member.name} size={20} />
      {tool === null ? (
        <bdi className="flex-none font-semibold">{member.displayName}</bdi>
      ) : (
        <code className="max-w-[45%] flex-none truncate">{visibleText(tool.name)}</code>
      )}
      <bdi className="min-w-0 flex-1 truncate text-xs text-ink-3">{tool === null ? member.description : tool.summary}</bdi>
      {tool === null ? (
        <Status of={status} word={word} />
      ) : (
        <bdi className="max-w-[25%] flex-none truncate text-xs text-ink-3">{member.displayName}</bdi>
      )}
    </button>
  );
}
