import { z } from "zod";

/** How far down the Board somebody is, how many sessions had to be read for that, and of which list: its address. */
const BoardPlace = z.object({ top: z.number().nonnegative(), count: z.int().nonnegative(), of: z.string() });
export type BoardPlace = z.infer<typeof BoardPlace>;

const Kept = z.object({ boardPlace: BoardPlace });

/** What this entry of the history remembers. Null for whoever comes here anew. */
export function keptBoardPlace(): BoardPlace | null {
  const kept = Kept.safeParse(history.state);
  return kept.success ? kept.data.boardPlace : null;
}

/** Lies beside what Next keeps in the entry to find the page again. */
export function keepBoardPlace(boardPlace: BoardPlace): void {
  const state: unknown = history.state;
  history.replaceState({ ...(typeof state === "object" ? state : {}), boardPlace }, "");
}
