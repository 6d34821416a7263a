/** The known name a person most likely meant, or null where none is close. Case does not count. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const written = name.toLowerCase();
  let nearest: string | null = null;
  let least = Infinity;
  for (const candidate of known) {
    const distance = editDistance(written, candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  // A third of the letters, at least one typo: "prot" is "port", but "cat" is not "host".
  const tolerated = Math.max(1, Math.floor(Math.max(written.length, nearest?.length ?? 0) / 3));
  return least <= tolerated ? nearest : null;
}

/** The end of a sentence about an unknown name: the one that was probably meant, or else those there are. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== null) return `; did you mean "${nearest}"?`;
  const more = known.length > mostListed ? ` and ${known.length - mostListed} more` : "";
  return known.length === 0 ? "" : `; known are: ${known.slice(0, mostListed).join(", ")}${more}`;
}

const mostListed = 20;

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). Only the last two rows are kept. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? at(beforePrevious, column - 2) + 1
          : Infinity;
      current.push(Math.min(replaced, swapped, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
