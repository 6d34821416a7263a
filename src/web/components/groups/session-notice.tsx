import type { ReactNode } from "react";
import type { SessionFailure } from "../../../schema/session.ts";
import { firstSentence } from "../../format/first-sentence.ts";
import type { Retry } from "../../live/session-view.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { FailureText } from "./failure-text.tsx";
import { isMeant, waysOn } from "./ways-on.ts";
import type { GoOn } from "./ways-on.ts";

type EndingNoticeProps = {
  error: SessionFailure;
  /** Part of an answer is there, which can be gone on with. */
  hasAnswer: boolean;
  /** It is being gone on with already. */
  isBusy: boolean;
  onGoOn: ((how: GoOn) => void) | undefined;
  /** What is to be pressed first, where there is no going on as it is. */
  remedy?: ReactNode;
};

/** How the last query ended, where it did not end well, and what to press to go on. */
export function EndingNotice({ error, hasAnswer, isBusy, onGoOn, remedy }: EndingNoticeProps) {
  const { first, rest } = firstSentence(error.message);
  return (
    <Notice isTold>
      <Banner
        tone={isMeant(error.code) ? "warning" : "error"}
        title={first}
        action={
          onGoOn === undefined
            ? remedy
            : waysOn(error.code, hasAnswer).map((how) => <GoOnButton key={how} how={how} isBusy={isBusy} onGoOn={onGoOn} />)
        }
      >
        <FailureText text={rest} resetsAt={error.resetsAt} />
      </Banner>
    </Notice>
  );
}

const GoOnButton = ({ how, isBusy, onGoOn }: { how: GoOn; isBusy: boolean; onGoOn: (how: GoOn) => void }) => (
  <Button size="sm" busy={isBusy} onClick={() => onGoOn(how)}>
    {how === "again" ? "Send it again" : "Continue"}
  </Button>
);

/** After a renewal: what found out that the model had forgotten was never answered. */
export const RenewedNotice = ({ isBusy, onAgain }: { isBusy: boolean; onAgain: () => void }) => (
  <Notice>
    <Banner tone="warning" title="The session is renewed." action={<GoOnButton how="again" isBusy={isBusy} onGoOn={onAgain} />}>
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
