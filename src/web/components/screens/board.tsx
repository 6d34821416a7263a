"use client";

import { money } from "../../../schema/money.ts";
import type { Spending } from "../../../schema/spending.ts";
import { counted, opening } from "../../format/figures.ts";
import { boardAddress, countOf, readBoardQuery } from "../../live/board-query.ts";
import { useWantedPlace } from "../../live/use-board-place.ts";
import { useAddressedQuery } from "../../live/use-addressed-query.ts";
import { useSessionList } from "../../live/use-session-list.ts";
import type { ReadList } from "../../live/use-session-list.ts";
import { NewSessionButton } from "../groups/new-session-button.tsx";
import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";
import { RosterPanel } from "../groups/roster-panel.tsx";
import { SessionCards } from "../groups/session-cards.tsx";
import { SessionFilter } from "../groups/session-filter.tsx";

type BoardProps = { initial: ReadList; spending: Pick<Spending, "today" | "limit"> };

const addressed = { read: readBoardQuery, addressOf: boardAddress };

/** The hall once there is something in it. */
export function Board({ initial, spending }: BoardProps) {
  const { query, words, change } = useAddressedQuery(addressed);
  const place = useWantedPlace(boardAddress(query));
  const { list, readMore, ...reading } = useSessionList(query, initial, place.wanted?.count ?? 0);
  const { counts } = list;
  const total = countOf("all", counts);
  return (
    <Page>
      <PageHead title={titleOf(counts?.running)} actions={<NewSessionButton />}>
        <span className="tabular-nums">
          {total === undefined ? "" : `${counted(total, "session")}. `}
          {spentToday(spending)}
        </span>
      </PageHead>
      <div className={besideRoster}>
        <section aria-labelledby="board" className="min-w-0 scroll-mt-4">
          <SessionFilter show={query.show} words={words} counts={counts} onChange={change} />
          <SessionCards
            {...reading}
            query={query}
            list={list}
            place={place}
            onMore={() => void readMore()}
            onClear={() => change({ show: "all", words: "" })}
          />
        </section>
        <RosterPanel />
      </div>
    </Page>
  );
}

function titleOf(running: number | undefined): string {
  if (running === undefined) return "Looking for your sessions";
  if (running === 0) return "Nothing is running";
  return `${opening(running)} ${running === 1 ? "session is" : "sessions are"} running`;
}

function spentToday({ today, limit }: BoardProps["spending"]): string {
  const of = limit.perDayUsd === null ? "" : ` of ${money(limit.perDayUsd)}`;
  return `${today.isEstimate ? "About " : ""}${money(today.costUsd)}${of} spent today.`;
}

// Cards come and go as they are scrolled past, and what stands below them is nothing to hold on to when more are read.
const besideRoster =
  "grid [overflow-anchor:none] grid-cols-[minmax(0,1fr)] items-start gap-x-5 gap-y-6 column:grid-cols-[minmax(0,1fr)_316px] wide:grid-cols-[minmax(0,1fr)_356px] wide:gap-x-8";
