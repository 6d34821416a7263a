import type { SessionId } from "../../../schema/ids.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { useShell } from "./shell-context.ts";

/** Begins a new conversation with the model on what is there of a session. */
export function useRenewal(id: SessionId): { renew: () => void; isBusy: boolean } {
  const { renew, isBusy } = useSessionChanges(id);
  const { say } = useShell();
  return {
    isBusy,
    renew: () => void renew().then((isDone) => isDone || say("The session could not be renewed. Try again in a moment.", "failed")),
  };
}
