import type { ModelInfo } from "../../../schema/health.ts";
import { isQuestion } from "../../../schema/session.ts";
import type { Message } from "../../../schema/session.ts";
import { limitBelow } from "../../format/limit-below.ts";
import { useReachedLimit } from "../../live/use-reached-limit.ts";
import type { SessionHandle } from "../../live/use-session.ts";
import { Banner } from "../elements/banner.tsx";
import { AwaitedAnswer } from "./awaited-answer.tsx";
import { NearLimits } from "./near-limits.tsx";
import { RaiseLimit } from "./raise-limit.tsx";
import { RenewButton } from "./renew-button.tsx";
import { EndingNotice, Notice, RenewedNotice, RetryNotice } from "./session-notice.tsx";
import { textOf } from "./text-said.ts";
import { WaitingNotice } from "./waiting-notice.tsx";
import type { GoOn } from "./ways-on.ts";

/** What is to be said at the end of a conversation: how it ended, what is being retried, what could not be done. */
export function SessionNotices({ handle, model }: { handle: SessionHandle; model: ModelInfo }) {
  const { session, messages, retry, nearLimits, runId, failure, isGone } = handle;
  const { waitingFor } = session;
  const isWorking = session.status === "running" && waitingFor === null;
  const goOn = (how: GoOn) => void handle.sendOnce(how === "again" ? lastWords(messages) : "Continue.");
  const isBusy = handle.pressed !== null;
  const last = messages.at(-1);
  const limit = useReachedLimit(session, failure);
  const inPlace = limit.reached === null ? asItIs : limitBelow;
  const onRaised = () => {
    limit.lookAgain();
    if (failure?.code === "budget") handle.forgive();
  };
  if (isGone) {
    return (
      <Notice>
        <Banner title="This session was deleted.">What you see is a copy in this tab; nothing more can be sent.</Banner>
      </Notice>
    );
  }
  return (
    <>
      {retry === null ? null : <RetryNotice retry={retry} />}
      {isWorking && retry === null && last !== undefined && isQuestion(last) ? <AwaitedAnswer model={model} /> : null}
      {waitingFor?.kind === "budget" ? null : <NearLimits of={nearLimits} />}
      {waitingFor === null ? null : (
        <WaitingNotice session={session} runId={runId} waitingFor={waitingFor} hasBegun={last?.role === "assistant"} />
      )}
      {session.error === null ? null : (
        <EndingNotice
          error={{ ...session.error, message: inPlace(session.error.message) }}
          hasAnswer={last?.role === "assistant"}
          isBusy={isBusy}
          onGoOn={session.status === "idle" ? goOn : undefined}
          remedy={session.status === "expired" ? <RenewButton session={session} size="sm" /> : null}
        />
      )}
      {isUnanswered(handle) ? <RenewedNotice isBusy={isBusy} onAgain={() => goOn("again")} /> : null}
      {failure === null ? null : (
        <Notice>
          <Banner title="That did not work.">{inPlace(failure.message)}</Banner>
        </Notice>
      )}
      {limit.reached === null ? null : <RaiseLimit session={session} reached={limit.reached} onRaised={onRaised} />}
    </>
  );
}

/** The conversation began anew after this was said, so nobody is going to answer it. */
function isUnanswered({ session, messages }: Pick<SessionHandle, "session" | "messages">): boolean {
  const last = messages.at(-1);
  const { renewedAt, error, status } = session;
  return status === "idle" && error === null && renewedAt !== null && last?.role === "user" && last.at < renewedAt;
}

/** What the person said last, to be said again. */
function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(isQuestion);
  return last === undefined ? "" : textOf(last);
}

const asItIs = (text: string): string => text;
