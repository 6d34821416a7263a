import { randomUUID } from "node:crypto";
import type { Position } from "./entry.ts";

/** A moment in the life of an order: which life, and how many moves it had seen. */
export type Moment = { life: string; moves: number };

export type Moves = {
  note(from: Position): void;
  now(): Moment;
  /** Where everything that moved since then stood at that moment, by name. Empty for a moment that is too long ago to tell. */
  since(moment: Moment): ReadonlyMap<string, Position>;
};

/**
 * Remembers where entries stood before they moved, so that somebody who reads a list page by page meets each entry once,
 * however the list is shuffled meanwhile. Only the last moves are kept: a reader who is slower than those, or reads across
 * a restart, may miss what moved up in between.
 */
export function createMoves(kept = 2_000): Moves {
  const life = randomUUID();
  const log: Position[] = [];
  let forgotten = 0;

  return {
    note(from) {
      log.push(from);
      if (log.length < 2 * kept) return;
      log.splice(0, kept);
      forgotten += kept;
    },
    now: () => ({ life, moves: forgotten + log.length }),
    since(moment) {
      const places = new Map<string, Position>();
      if (moment.life !== life || moment.moves < forgotten) return places;
      for (const from of log.slice(moment.moves - forgotten)) if (!places.has(from.name)) places.set(from.name, from);
      return places;
    },
  };
}
