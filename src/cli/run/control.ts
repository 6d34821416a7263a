import { HallError } from "../../schema/hall-error.ts";
import { createAsk } from "../ask.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";

type Flags = { home?: string };

export async function stopEverything({ home, yes }: Flags & { yes?: boolean }, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(home, shell);
  const question = "Stop every message that is being answered, and every job? What was said and made so far is kept.";
  if (yes !== true && !(await createAsk(shell)(question))) throw new HallError("stopped", "Nothing was stopped.");
  const { stopped } = await client.runs.stopAll();
  printer.result({ stopped }, stopped === 0 ? "Nothing runs." : `Stopped ${stopped === 1 ? "one run" : `${stopped} runs`}.`);
}

export async function pauseRuns({ home }: Flags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(home, shell);
  const state = await client.runs.pause();
  const continuing =
    state.running === 0
      ? ""
      : ` ${state.running === 1 ? "One run that has started continues" : `${state.running} runs that have started continue`}.`;
  printer.result(state, `New runs are paused, over restarts too.${continuing} Resume new runs with: guild-hall unpause`);
}

export async function unpauseRuns({ home }: Flags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(home, shell);
  printer.result(await client.runs.unpause(), "New runs start again.");
}
