/**
 * A list in the order it had when somebody began to read it: what is gone is left out, what comes after all of it is
 * added, and what came in between or moved waits. `isBehind` tells that something waits.
 */
export function heldOrder<Item extends { id: string }>(
  order: readonly string[],
  now: readonly Item[],
): { shown: readonly Item[]; isBehind: boolean } {
  const byId = new Map(now.map((item) => [item.id, item]));
  const known = new Set(order);
  const held = order.flatMap((id) => byId.get(id) ?? []);
  const lastKnown = now.findLastIndex(({ id }) => known.has(id));
  const shown = [...held, ...now.slice(lastKnown + 1)];
  return { shown, isBehind: shown.length !== now.length || shown.some(({ id }, at) => id !== now[at]?.id) };
}
