import { useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { MessageId } from "../../schema/ids.ts";
import { sentenceOf } from "../format/sentence-of.ts";

type Act = "resume" | "finish" | "stop";

/** What a person can do with a run that waits. What follows from it comes with the run's own stream. Without an id nothing can be done yet. */
export function useRunActs(id: MessageId | undefined) {
  const [busyWith, setBusyWith] = useState<Act | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function act(which: Act, action: (run: MessageId) => Promise<unknown>): Promise<void> {
    if (id === undefined || busyWith !== null) return;
    setBusyWith(which);
    try {
      await action(id).catch(ignoreEnded);
      setFailure(null);
    } catch (error) {
      setFailure(sentenceOf(error, "act"));
    }
    setBusyWith(null);
  }

  return {
    busyWith,
    failure,
    /** Why nothing can be done now. */
    closedBecause: id === undefined ? "The run is still loading. Try again in a moment." : undefined,
    /** Tries the model again before its usage limit is reset. */
    tryNow: () => act("resume", client().resume),
    finish: () => act("finish", client().finish),
    stop: () => act("stop", client().stop),
  };
}

/** Raises the limit that a run waits at. Throws the hall's refusal, for the form that it was written in. */
export const raiseLimit = async (id: MessageId, to: number): Promise<void> => void (await client().raise(id, to).catch(ignoreEnded));

/** The run has just ended, and the page hears of it in a moment. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof HallError) || error.code !== "not_found") throw error;
}

const client = () => createHallClient({ baseUrl: "" }).runs;
