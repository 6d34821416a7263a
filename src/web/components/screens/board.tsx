import type { Session } from "../../../schema/session.ts";
import { counted, money, opening } from "../../format/figures.ts";
import { NewSessionButton } from "../groups/new-session-button.tsx";
import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";
import { RosterPanel } from "../groups/roster-panel.tsx";
import { SessionCards } from "../groups/session-cards.tsx";

/** The hall once there is something in it. */
export function Board({ sessions, isWhole }: { sessions: readonly Session[]; isWhole: boolean }) {
  const running = sessions.filter(({ status }) => status === "running").length;
  const cost = sessions.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const title = running === 0 ? "Nothing is running" : `${opening(running)} ${running === 1 ? "session is" : "sessions are"} running`;
  return (
    <Page>
      <PageHead title={title} actions={<NewSessionButton />}>
        {isWhole ? counted(sessions.length, "session") : `The ${sessions.length} sessions used last`},{" "}
        <span className="tabular-nums">{money(cost)}</span> in all.
      </PageHead>
      <div className={besideRoster}>
        <SessionCards sessions={sessions} />
        <RosterPanel />
      </div>
    </Page>
  );
}

const besideRoster =
  "grid grid-cols-[minmax(0,1fr)] items-start gap-x-5 gap-y-6 column:grid-cols-[minmax(0,1fr)_316px] wide:grid-cols-[minmax(0,1fr)_356px] wide:gap-x-8";
