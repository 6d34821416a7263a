import type { Child } from "./child.ts";
import { waitAtMost } from "./wait-at-most.ts";

/** The step is over when the child is gone, when `ask` has resolved, or after `ms`. `ask` may fail. */
export type EndStep = { ask?: () => Promise<unknown> | void; ms: number };

/** Takes one step after the other, each harder than the one before, and in the end kills the child with its group. Resolves when it is gone. */
export async function endChild(child: Pick<Child, "gone" | "kill">, steps: readonly EndStep[]): Promise<void> {
  for (const { ask, ms } of steps) {
    const asked = ask?.()?.catch(() => undefined);
    await waitAtMost(ms, asked === undefined ? child.gone() : Promise.race([asked, child.gone()]));
  }
  child.kill("SIGKILL");
  await child.gone();
}
