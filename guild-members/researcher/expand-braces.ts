const mostMeanings = 256;

/**
 * All that the braces of a pattern stand for, `.{.,x}/a` for `../a` and `.x/a`; null where they do not pair up, or stand for too
 * much. Parentheses with bars, which some programs read the same way, count as braces.
 */
export function expandBraces(pattern: string): string[] | null {
  return expand(
    pattern
      .replaceAll(/[!?*+@]?\(/g, "{")
      .replaceAll("|", ",")
      .replaceAll(")", "}"),
  );
}

function expand(pattern: string): string[] | null {
  const open = pattern.search(/[{}]/);
  if (open === -1) return [pattern];
  const group = readGroup(pattern, open);
  if (group === null) return null;
  const [before, after] = [pattern.slice(0, open), pattern.slice(group.end)];
  const all: string[] = [];
  for (const alternative of group.alternatives) {
    const meanings = expand(alternative + after);
    if (meanings === null || all.length + meanings.length > mostMeanings) return null;
    all.push(...meanings.map((meaning) => before + meaning));
  }
  return all;
}

/** The alternatives of the group that begins here, and where it ends. */
function readGroup(pattern: string, open: number): { alternatives: string[]; end: number } | null {
  const alternatives: string[] = [];
  let depth = 0;
  let begin = open + 1;
  for (let index = open; index < pattern.length; index += 1) {
    const one = pattern[index];
    if (one === "{") depth += 1;
    if (one === "}") depth -= 1;
    if (depth < 0) return null;
    if (depth === 0 || (depth === 1 && one === ",")) {
      alternatives.push(pattern.slice(begin, index));
      begin = index + 1;
    }
    if (depth === 0) return { alternatives, end: begin };
  }
  return null;
}
