import type { ModelInfo } from "../../../schema/health.ts";
import type { Message } from "../../../schema/session.ts";
import type { SessionHandle } from "../../live/use-session.ts";
import { Banner } from "../elements/banner.tsx";
import { AwaitedAnswer } from "./awaited-answer.tsx";
import { EndingNotice, Notice, RetryNotice } from "./session-notice.tsx";
import type { GoOn } from "./session-notice.tsx";

/** What is to be said at the end of a conversation: how it ended, what is being retried, what could not be done. */
export function SessionNotices({ handle, model }: { handle: SessionHandle; model: ModelInfo }) {
  const { session, messages, retry, failure, isGone } = handle;
  const goOn = (how: GoOn) => void handle.send(how === "again" ? lastWords(messages) : "Continue.");
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
      {session.status === "running" && retry === null && messages.at(-1)?.role === "user" ? <AwaitedAnswer model={model} /> : null}
      {session.error === null ? null : <EndingNotice error={session.error} onGoOn={session.status === "idle" ? goOn : undefined} />}
      {failure === null ? null : (
        <Notice>
          <Banner title="That did not work.">{failure}</Banner>
        </Notice>
      )}
    </>
  );
}

/** What the person said last, to be said again. */
function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last?.blocks.map((block) => (block.type === "text" ? block.text : "")).join("") ?? "";
}
