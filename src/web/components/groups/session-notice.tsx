import type { ReactNode } from "react";
import type { ErrorCode } from "../../../schema/error-code.ts";
import type { SessionFailure } from "../../../schema/session.ts";
import { firstSentence } from "../../format/first-sentence.ts";
import type { Retry } from "../../live/session-view.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { FailureText } from "./failure-text.tsx";

/** How to go on after a query that did not end well: say the same again, or have it continue from where it is. */
export type GoOn = "again" | "continue";

type EndingNoticeProps = {
  error: SessionFailure;
  /** Part of an answer is there, which can be gone on with. */
  hasAnswer: boolean;
  onGoOn: ((how: GoOn) => void) | undefined;
};

/** How the last query ended, where it did not end well, and the one thing to press; a second where the answer was cut in the middle. */
export function EndingNotice({ error, hasAnswer, onGoOn }: EndingNoticeProps) {
  const isMeant = leavesOff.has(error.code);
  const { first, rest } = firstSentence(error.message);
  return (
    <Notice isTold>
      <Banner
        tone={isMeant ? "warning" : "error"}
        title={first}
        action={
          onGoOn === undefined ? null : (
            <>
              {isMeant || hasAnswer ? <GoOnButton how="continue" onGoOn={onGoOn} /> : null}
              {isMeant ? null : <GoOnButton how="again" onGoOn={onGoOn} />}
            </>
          )
        }
      >
        <FailureText text={rest} resetsAt={error.resetsAt} />
      </Banner>
    </Notice>
  );
}

/** Endings in the middle of an answer that may go on. After the others there may have been no answer. */
const leavesOff: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["stopped", "interrupted", "max_turns", "budget"]);

const GoOnButton = ({ how, onGoOn }: { how: GoOn; onGoOn: (how: GoOn) => void }) => (
  <Button size="sm" onClick={() => onGoOn(how)}>
    {how === "again" ? "Send it again" : "Continue"}
  </Button>
);

/** After a renewal: what found out that the model had forgotten was never answered. */
export const RenewedNotice = ({ onAgain }: { onAgain: () => void }) => (
  <Notice>
    <Banner tone="warning" title="The session is renewed." action={<GoOnButton how="again" onGoOn={onAgain} />}>
      Your last message was not answered.
    </Banner>
  </Notice>
);

/** The model did not answer and is being asked again. */
export const RetryNotice = ({ retry }: { retry: Retry }) => (
  <Notice>
    <Banner tone="warning" title="The model did not answer.">
      It says: {retry.reason}. Attempt {retry.attempt} failed, the next is in {Math.max(1, Math.round(retry.inMs / 1000))} s. Your message
      is kept.
    </Banner>
  </Notice>
);

/** One that the announcer tells of is not read out a second time. */
export const Notice = ({ isTold = false, children }: { isTold?: boolean; children: ReactNode }) => (
  <div {...(isTold ? {} : { role: "status" })} className="mx-auto mb-4 max-w-[780px] rail:pl-[38px]">
    {children}
  </div>
);
