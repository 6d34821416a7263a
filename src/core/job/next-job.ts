/** The first waiting job whose lane is free, or null. `waiting` is in the order of submission, so no lane is overtaken in itself. */
export function nextJob<Waiting extends { job: { lane: string } }>(
  waiting: Iterable<Waiting>,
  busyLanes: ReadonlySet<string>,
  freePlaces: number,
): Waiting | null {
  if (freePlaces <= 0) return null;
  for (const each of waiting) if (!busyLanes.has(each.job.lane)) return each;
  return null;
}
