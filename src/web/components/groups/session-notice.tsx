import type { ErrorCode } from "../../../schema/error-code.ts";
import type { SessionFailure } from "../../../schema/session.ts";
import type { Retry } from "../../live/session-view.ts";
import { exactTime } from "../../format/age.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";

/** How the last query ended, where it did not end well, and the one thing to press. */
export function EndingNotice({ error, onGoOn }: { error: SessionFailure; onGoOn: (how: "again" | "continue") => void }) {
  const ending = endings[error.code];
  const how = ending?.next ?? "again";
  return (
    <Notice>
      <Banner
        tone={ending?.isQuiet === true ? "warning" : "error"}
        title={ending?.title ?? "The answer broke off."}
        action={
          <Button size="sm" onClick={() => onGoOn(how)}>
            {how === "again" ? "Send it again" : "Continue"}
          </Button>
        }
      >
        {error.message}
        {error.resetsAt === undefined ? null : ` The limit resets ${exactTime(error.resetsAt)}.`}
      </Banner>
    </Notice>
  );
}

/** The model did not answer and is being asked again. */
export const RetryNotice = ({ retry }: { retry: Retry }) => (
  <Notice>
    <Banner tone="warning" title={retry.reason}>
      Attempt {retry.attempt} failed; the next is in {Math.max(1, Math.round(retry.inMs / 1000))} s. Nothing is lost.
    </Banner>
  </Notice>
);

export const Notice = ({ children }: { children: React.ReactNode }) => (
  <div role="status" className="mx-auto mb-4 max-w-[780px] rail:pl-[38px]">
    {children}
  </div>
);

type Ending = { title: string; next: "again" | "continue"; isQuiet?: true };

const endings: Partial<Record<ErrorCode, Ending>> = {
  stopped: { title: "You stopped it.", next: "continue", isQuiet: true },
  interrupted: { title: "The hall went away in the middle.", next: "continue", isQuiet: true },
  max_turns: { title: "The turn limit is reached.", next: "continue", isQuiet: true },
  budget: { title: "The budget is used up.", next: "continue", isQuiet: true },
  model_auth: { title: "The model refused the key.", next: "again" },
  model_rate_limited: { title: "The usage limit is reached.", next: "again" },
  model_overloaded: { title: "The model is overloaded.", next: "again" },
  model_unreachable: { title: "The model is not reachable.", next: "again" },
  model_stalled: { title: "The model went silent.", next: "again" },
  model_bad_request: { title: "The model refused the request.", next: "again" },
};
