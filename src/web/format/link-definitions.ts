/** `longestText` bounds a text with its definitions; `mostAdded` bounds the definitions appended to all texts together. */
type Limits = { longestText: number; mostAdded: number };

type LinkDefinitions = {
  collect(line: string): void;
  /** Appends the definitions of the links in a text, as far as they fit; the other links stay plain. */
  appendTo(text: string): string;
};

/**
 * The addresses of links, which Markdown lets stand anywhere in a text, for texts that are formatted in pieces. A text of 100 KB can
 * use one long definition in thousands of pieces, so the appended total is bounded too.
 */
export function createLinkDefinitions({ longestText, mostAdded }: Limits): LinkDefinitions {
  const definitions = new Map<string, string>();
  let left = mostAdded;
  return {
    collect(line) {
      const label = definedLabel(line);
      // As in Markdown, the first definition of a label counts.
      if (label !== null && !definitions.has(label)) definitions.set(label, line);
    },
    appendTo(text) {
      if (definitions.size === 0) return text;
      let whole = text;
      for (const label of labelsIn(text)) {
        const definition = definitions.get(label);
        if (definition === undefined) continue;
        const added = `${whole === text ? "\n\n" : "\n"}${definition}`;
        if (added.length > left || whole.length + added.length > longestText) continue;
        whole += added;
        left -= added.length;
      }
      return whole;
    },
  };
}

/** Footnotes are left alone: each piece would list them again. */
function definedLabel(line: string): string | null {
  const [, label] = /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.){1,999})\]:\s*\S/.exec(line) ?? [];
  return label === undefined ? null : normalized(label);
}

/** Every bracketed text is a possible label: `[text][label]`, `[label][]` and `[label]` are all links. Reads the text only once. */
function labelsIn(text: string): ReadonlySet<string> {
  const labels = new Set<string>();
  let begin: number | null = null;
  for (const { 0: mark, index } of text.matchAll(/\\[^]|[[\]]/g)) {
    if (mark === "[") begin = index + 1;
    if (mark !== "]") continue;
    if (begin !== null && index - begin <= longestLabel) labels.add(normalized(text.slice(begin, index)));
    begin = null;
  }
  return labels;
}

/** A limit of Markdown. */
const longestLabel = 999;

/** Compares labels as Markdown does: case and white space do not matter. In a quote, a new line of a label starts with `>`. */
const normalized = (label: string): string =>
  label
    .replaceAll(/\s*\n[\s>]*|\s+/g, " ")
    .trim()
    .toLowerCase()
    .toUpperCase();
