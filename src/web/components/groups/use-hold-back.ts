import { sentenceOf } from "../../format/sentence-of.ts";
import { setPaused } from "../../live/control-runs.ts";
import { useBusy } from "../../live/use-busy.ts";
import { useShell } from "./shell-context.ts";

/** Holds back new work or lets it run, and says what is so then. */
export function useHoldBack() {
  const { say } = useShell();
  const [isBusy, begin] = useBusy();
  const hold = (isWanted: boolean) =>
    begin(async () => {
      try {
        await setPaused(isWanted);
        say(isWanted ? "New work is held back." : "New work may run.");
      } catch (failure) {
        say(sentenceOf(failure, "act"), "failed");
      }
    });
  return { isBusy, hold };
}
