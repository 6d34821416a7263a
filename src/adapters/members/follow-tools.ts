import { setTimeout as pause } from "node:timers/promises";
import type { ListedTools } from "./list-tools.ts";

export type ToolsFollower = { changed(): void };

/** Long enough for several changes to become one, and for a member that says so all the time not to keep us busy. */
const gatherMs = 100;

/** Lists the tools again when the member says that they changed: never twice at once, and once more if they changed meanwhile. */
export function followTools(deps: {
  list(): Promise<ListedTools>;
  onTools(listed: ListedTools): void;
  onProblem(error: unknown): void;
  signal: AbortSignal;
}): ToolsFollower {
  const { list, onTools, onProblem, signal } = deps;
  let isStale = false;
  let isListing = false;

  async function follow(): Promise<void> {
    while (isStale) {
      await pause(gatherMs, undefined, { signal });
      isStale = false;
      onTools(await list());
    }
  }

  return {
    changed() {
      isStale = true;
      if (isListing) return;
      isListing = true;
      follow()
        .catch((error: unknown) => {
          isStale = false;
          if (!signal.aborted) onProblem(error);
        })
        .finally(() => (isListing = false));
    },
  };
}
