import { sentenceOf } from "../../format/sentence-of.ts";
import { setPaused } from "../../live/control-runs.ts";
import { useBusy } from "../../live/use-busy.ts";
import { useShell } from "./shell-context.ts";

/** Pauses new runs or resumes them, and shows the person that it was done. */
export function usePauseRuns() {
  const { say } = useShell();
  const [isBusy, begin] = useBusy();
  const pause = (isWanted: boolean) =>
    begin(async () => {
      try {
        await setPaused(isWanted);
        say(isWanted ? "New runs are paused." : "New runs start again.");
      } catch (failure) {
        say(sentenceOf(failure, "act"), "failed");
      }
    });
  return { isBusy, pause };
}
