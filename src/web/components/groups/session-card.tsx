import { money } from "../../../schema/money.ts";
import type { Match, Session } from "../../../schema/session.ts";
import { counted } from "../../format/figures.ts";
import { findWords } from "../../format/find-words.ts";
import { firstSentence } from "../../format/first-sentence.ts";
import { sessionHref } from "../../format/session-href.ts";
import { Age } from "../elements/age.tsx";
import { Card } from "../elements/card.tsx";
import { MarkedText } from "../elements/marked-text.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { FailureText } from "./failure-text.tsx";
import { sessionStatus } from "./session-status.ts";

/** All cards have one height, so that a long list of them needs to draw only those in sight. */
export const cardHeight = 138;

type SessionCardProps = { session: Session; /** What is searched for, and where it was said. */ words?: string; match?: Match | undefined };

export function SessionCard({ session, words = "", match }: SessionCardProps) {
  const { status, word } = sessionStatus(session);
  const shown = session.members.slice(0, session.members.length > mostMembers ? mostMembers - 1 : mostMembers);
  const isFailed = status === "failed" && match === undefined;
  return (
    <Card href={sessionHref(session.id, match)} className="h-[138px]">
      <div className="flex items-center gap-2">
        <Status of={status} word={word} />
        <Age at={session.lastActivityAt} className="ml-auto text-xs text-ink-3" />
      </div>
      <h3 className="flex-none truncate text-md font-medium" dir="auto">
        <MarkedText text={session.name} marks={findWords(session.name, words)} />
      </h3>
      <p dir="auto" className={`line-clamp-2 flex-none text-xs leading-[17px] ${isFailed ? "text-err" : "text-ink-2"}`}>
        <CardLine session={session} match={match} />
      </p>
      <div className="mt-auto flex items-center gap-2 text-xs leading-5 text-ink-3 tabular-nums">
        <span className="flex gap-[3px]">
          {shown.map((name) => (
            <MemberMonogram key={name} name={name} size={20} />
          ))}
          {session.members.length > shown.length ? (
            <span title={session.members.join(", ")}>+{session.members.length - shown.length}</span>
          ) : null}
        </span>
        <span className="ml-auto whitespace-nowrap">{counted(session.messageCount, "message")}</span>
        <span>{money(session.costUsd)}</span>
      </div>
    </Card>
  );
}

/** A card has room for no more. */
const mostMembers = 3;

/** What was found, else what went wrong, else what was said last. */
function CardLine({ session, match }: { session: Session; match: Match | undefined }) {
  if (match !== undefined) return <MarkedText text={match.text} marks={match.marks} />;
  const { error, status, preview, waitingFor } = session;
  if (waitingFor?.kind === "budget") return firstSentence(waitingFor.message).first;
  if (waitingFor?.kind === "limit")
    return <FailureText text={`The model’s limit resets at ${waitingFor.until}.`} resetsAt={waitingFor.until} />;
  if (error !== null && status !== "running") return <FailureText text={error.message} resetsAt={error.resetsAt} />;
  if (status === "expired") return "The model no longer remembers this conversation. Its history is kept.";
  return preview ?? silentLine(session);
}

/** Where nothing was said that fits a line. */
function silentLine({ status, messageCount, waitingFor }: Session): string {
  if (waitingFor !== null) return "Your last message waits for its answer.";
  if (status === "running") return "Answering your last message.";
  if (status === "completed") return "You closed it. It can be read any time.";
  return messageCount === 0 ? "Nothing said yet." : "Ready for your next message.";
}
