import type { Session } from "../../../schema/session.ts";
import { counted, money, opening } from "../../format/figures.ts";
import { NewSessionButton } from "../groups/new-session-button.tsx";
import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";
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
      <SessionCards sessions={sessions} />
    </Page>
  );
}
