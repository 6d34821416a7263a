import { patiently } from "../../client/patiently.ts";
import { HallError } from "../../schema/hall-error.ts";

/** How often in a row the hall may be away, a second apart, before a command that follows a session gives up. */
export const hallPatience = 30;

/** For a command that looks on: the hall may be restarted under it at any moment, and its person may leave meanwhile. */
export async function askPatiently<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await patiently(ask, { signal, patience: hallPatience });
  } catch (error) {
    throw signal.aborted ? left() : error;
  }
}

export const left = (): HallError => new HallError("interrupted", "Left. What runs on the hall goes on.");
