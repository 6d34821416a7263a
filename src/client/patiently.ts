import { isPassing, pause } from "./read-query.ts";

type Patience = { signal: AbortSignal; /** How often in a row the hall may be away. */ patience: number; pauseMs?: number };

/** Asks again while the hall is away or restarting. Only for questions that change nothing. */
export async function patiently<Answer>(ask: () => Promise<Answer>, { signal, patience, pauseMs = 1000 }: Patience): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !isPassing(error) || failures >= patience) throw error;
    }
    await pause(pauseMs, signal);
  }
}
