import type { JobEvent } from "../../schema/job.ts";

export type KeptEvents = {
  events: readonly JobEvent[];
  /** How many that were said first are not kept. */ dropped: number;
};

/** A worker may talk for hours, and a page that somebody leaves open need not grow all that time. */
const mostSaid = 20_000;

/** What is known of a job and what is new. All that its timeline tells is kept, and of what was said the newest. */
export function keepNewest({ events, dropped }: KeptEvents, fresh: readonly JobEvent[], most = mostSaid): KeptEvents {
  const all = [...events, ...fresh];
  const tooMany = all.filter(isSaid).length - most;
  if (tooMany <= 0) return { events: all, dropped };
  let left = tooMany;
  return { events: all.filter((event) => !isSaid(event) || (left -= 1) < 0), dropped: dropped + tooMany };
}

const isSaid = ({ type }: JobEvent): boolean => type === "text" || type === "tool_use" || type === "tool_result";
