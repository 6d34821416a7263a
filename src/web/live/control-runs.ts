import { createHallClient } from "../../client/hall-client.ts";

/** Pauses new runs, or resumes them. */
export async function setPaused(isWanted: boolean): Promise<void> {
  const { runs } = createHallClient({ baseUrl: "" });
  await (isWanted ? runs.pause() : runs.unpause());
}

/** Sets whether runs that reach the model's usage limit resume by themselves. */
export async function setResumesAtReset(isWanted: boolean): Promise<void> {
  await createHallClient({ baseUrl: "" }).runs.change({ resumesAtReset: isWanted });
}

/** Ends every run of the hall. Returns what was done, in a sentence. */
export async function stopEverything(): Promise<string> {
  const { stopped } = await createHallClient({ baseUrl: "" }).runs.stopAll();
  if (stopped === 0) return "Nothing was running.";
  return stopped === 1 ? "1 run was stopped." : `${stopped} runs were stopped.`;
}
