import { money } from "../../schema/money.ts";
import type { LimitKind } from "../../schema/run.ts";

export type NearLimit = { limit: LimitKind; message: string };

export type Used = { limit: LimitKind; used: number; most: number | null };

/** The part of a limit from which on a person is warned. */
const near = 0.8;

/** Warns of the limits that are nearly used up, once for each. */
export function createLimitWarnings() {
  const warned = new Set<LimitKind>();
  return {
    of: (limits: readonly Used[]): NearLimit[] =>
      limits.flatMap(({ limit, used, most }) => {
        if (most === null || used < most * near || used >= most || warned.has(limit)) return [];
        warned.add(limit);
        return [{ limit, message: wordsOf[limit](used, most) }];
      }),
    /** Limits may have been raised: each can be warned of again. */
    reset: (): void => warned.clear(),
  };
}

const dollars = (of: string) => (used: number, most: number) => `${money(used)} of the ${money(most)} for ${of} is used.`;

const wordsOf: Record<LimitKind, (used: number, most: number) => string> = {
  turns: (used, most) => `${used} of ${most} turns are used.`,
  run: dollars("this run"),
  session: dollars("this session"),
  day: dollars("today"),
};
