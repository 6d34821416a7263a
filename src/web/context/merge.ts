import { diff3Merge } from "node-diff3";

/** What a person began with, what they made of it, and what has been saved by somebody else since. */
export type Versions = { base: string; mine: string; theirs: string };

export type Region = { kind: "merged"; lines: string[] } | { kind: "conflict"; base: string[]; mine: string[]; theirs: string[] };

export type Choice = "mine" | "theirs" | "both";

/** Puts both sides' changes together, line by line. Where both changed the same lines, a person has to choose. */
export function mergeContext({ base, mine, theirs }: Versions): Region[] {
  const [o, a, b] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const before = countSame(o, a, b);
  const after = countSame(o.slice(before).reverse(), a.slice(before).reverse(), b.slice(before).reverse());
  const inner = (lines: string[]) => lines.slice(before, lines.length - after);
  const middle = mergeInner(inner(a), inner(o), inner(b));
  const around = [merged(o.slice(0, before)), ...middle, merged(o.slice(o.length - after))];
  return joined(around.filter((region) => region.kind === "conflict" || region.lines.length > 0));
}

export const isClean = (regions: readonly Region[]): boolean => regions.every(({ kind }) => kind === "merged");

/** The whole text, with a choice for each conflict in their order; a conflict without one keeps both sides. `like` has the line ends to use. */
export function mergedText(regions: readonly Region[], like: string, choices: readonly Choice[] = []): string {
  const left = [...choices];
  const lines = regions.flatMap((region) => (region.kind === "merged" ? region.lines : chosen(region, left.shift() ?? "both")));
  return lines.join(like.includes("\r\n") ? "\r\n" : "\n");
}

/** A text field knows only one kind of line end, so they are no difference. */
const linesOf = (text: string): string[] => text.split(/\r?\n/);

function countSame(o: string[], a: string[], b: string[]): number {
  const different = o.findIndex((line, at) => line !== a[at] || line !== b[at]);
  return different === -1 ? Math.min(o.length, a.length, b.length) : different;
}

/** Comparing takes the square of the length where lines repeat. What is as long as this is better looked at whole. */
const mostLines = 4_000;

function mergeInner(mine: string[], base: string[], theirs: string[]): Region[] {
  if (isSame(mine, base)) return [merged(theirs)];
  if (isSame(theirs, base) || isSame(mine, theirs)) return [merged(mine)];
  if (mine.length + base.length + theirs.length > mostLines) return [{ kind: "conflict", base, mine, theirs }];
  return diff3Merge(mine, base, theirs, { excludeFalseConflicts: true }).map(({ ok, conflict }) =>
    conflict === undefined ? merged(ok ?? []) : { kind: "conflict", base: conflict.o, mine: conflict.a, theirs: conflict.b },
  );
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((line, at) => line === others[at]);

const merged = (lines: string[]): Region => ({ kind: "merged", lines });

function joined(regions: Region[]): Region[] {
  return regions.reduce<Region[]>((done, region) => {
    const last = done.at(-1);
    if (last?.kind !== "merged" || region.kind !== "merged") return [...done, region];
    return [...done.slice(0, -1), merged([...last.lines, ...region.lines])];
  }, []);
}

const chosen = ({ mine, theirs }: { mine: string[]; theirs: string[] }, choice: Choice): string[] =>
  choice === "both" ? [...mine, ...theirs] : { mine, theirs }[choice];
