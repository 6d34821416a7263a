/** Deeper than any text that a person reads. Parsers and browsers exhaust their stack at some thousand levels. */
export const deepestMarkdown = 50;

const marker = /\s*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s))/y;

/** Whether a line opens more quotes and lists in one another than are drawn. Asked before parsing, which takes long for such a text. */
export const isTooDeep = (text: string): boolean => text.split("\n").some((line) => countMarkers(line) > deepestMarkdown);

function countMarkers(line: string): number {
  let count = 0;
  for (marker.lastIndex = 0; count <= deepestMarkdown && marker.test(line);) count += 1;
  return count;
}

/** The part of a syntax tree that matters here. */
type Branch = { type: string; value?: string; children?: Branch[] };

/** A plugin for rehype: what is nested deeper than that keeps its text alone. */
export const flattenDeep = () => (tree: Branch) => {
  let level = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === deepestMarkdown) for (const branch of level) if (branch.children !== undefined) branch.children = [textIn(branch)];
    level = level.flatMap(({ children = [] }) => children);
  }
};

/** Without recursion: the tree may be deeper than the stack. */
function textIn(branch: Branch): Branch {
  const words: string[] = [];
  const left = [branch];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.value !== undefined) words.push(next.value);
    left.push(...(next.children ?? []).toReversed());
  }
  return { type: "text", value: words.join("") };
}
