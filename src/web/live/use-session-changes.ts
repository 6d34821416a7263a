import { useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { ChangeSession, Session } from "../../schema/session.ts";
import { sentenceOf } from "../format/sentence-of.ts";

/**
 * What a person can do to a session besides talking. Each says whether it was done; `failure` is why the last one was not.
 * The session itself is read again by whoever shows it, when the hall tells of the change.
 */
export function useSessionChanges(id: SessionId) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function attempt(action: () => Promise<Session>): Promise<boolean> {
    setIsBusy(true);
    try {
      await action();
      setFailure(null);
      return true;
    } catch (error) {
      setFailure(sentenceOf(error, "act"));
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  const { sessions } = createHallClient({ baseUrl: "" });
  return {
    isBusy,
    failure,
    forgetFailure: () => setFailure(null),
    change: (changes: ChangeSession) => attempt(() => sessions.change(id, changes)),
    complete: () => attempt(() => sessions.complete(id)),
    renew: () => attempt(() => sessions.renew(id)),
  };
}
