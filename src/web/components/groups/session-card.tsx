import type { Session } from "../../../schema/session.ts";
import { counted, money } from "../../format/figures.ts";
import { Age } from "../elements/age.tsx";
import { Card } from "../elements/card.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { FailureText } from "./failure-text.tsx";
import { sessionStatus } from "./session-status.ts";

export function SessionCard({ session }: { session: Session }) {
  const { status, word } = sessionStatus(session);
  return (
    <Card href={`/sessions/${session.id}`} className="h-[138px] max-rail:h-auto max-rail:min-h-[120px]">
      <div className="flex items-center gap-2">
        <Status of={status} word={word} />
        <Age at={session.lastActivityAt} className="ml-auto text-xs text-ink-3" />
      </div>
      <h3 className="overflow-hidden text-md font-medium text-ellipsis whitespace-nowrap">{session.name}</h3>
      <p className={`line-clamp-2 text-xs leading-[17px] ${status === "failed" ? "text-err" : "text-ink-2"}`}>
        {session.error === null || session.status === "running" ? (
          lineOf(session)
        ) : (
          <FailureText text={session.error.message} resetsAt={session.error.resetsAt} />
        )}
      </p>
      <div className="mt-auto flex items-center gap-2 text-xs leading-5 text-ink-3 tabular-nums">
        <span className="flex gap-[3px]">
          {session.members.slice(0, shownMembers).map((name) => (
            <MemberMonogram key={name} name={name} size={20} />
          ))}
          {session.members.length > shownMembers ? (
            <span title={session.members.join(", ")}>+{session.members.length - shownMembers}</span>
          ) : null}
        </span>
        <span className="ml-auto">{counted(session.messageCount, "message")}</span>
        <span>{money(session.costUsd)}</span>
      </div>
    </Card>
  );
}

/** A card has room for no more. */
const shownMembers = 5;

function lineOf({ status, messageCount }: Session): string {
  if (status === "running") return "Answering your last message.";
  if (status === "completed") return "You closed it. It can be read any time.";
  if (status === "expired") return "The model no longer remembers this conversation. Its history is kept.";
  return messageCount === 0 ? "Nothing said yet." : "Ready for your next message.";
}
