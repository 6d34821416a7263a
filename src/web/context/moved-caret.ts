import { diffLines } from "diff";

/** Past this many edits the two texts have nothing to do with each other. */
const mostEdits = 1000;

/** Where a caret belongs after somebody else's lines came into the text: with the words it stood in. */
export function movedCaret(before: string, after: string, caret: number): number {
  let [from, to] = [0, 0];
  for (const { value, added, removed } of diffLines(before, after, { maxEditLength: mostEdits }) ?? []) {
    if (added) {
      to += value.length;
      continue;
    }
    if (caret < from + value.length) return removed ? to : to + (caret - from);
    from += value.length;
    if (!removed) to += value.length;
  }
  return after.length - Math.min(after.length, before.length - caret);
}
