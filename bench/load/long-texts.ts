const paragraph = "A short paragraph with **marks** and `code`.";

/** Texts that once held a hall up, as models and workers may send them: the answers of one session each. */
export const longTexts: Readonly<Record<string, readonly string[]>> = {
  "40 answers of 20 KB": Array.from({ length: 40 }, (_, index) => ordinary(20_000, index)),
  "an answer of 2 MB": [paragraphs(2_000_000)],
  "an answer of 30 MB": [paragraphs(30_000_000)],
  "10,000 quotes in one another": ["> ".repeat(10_000), ">".repeat(10_000)],
  "20 KB of brackets, lists and underlines": ["]".repeat(20_000), "- - - - - a\n".repeat(1_600), "a\n=\n".repeat(5_000)],
};

/** A task that has the workers of our tests hand in a result of about so many characters. */
export function fillTask(length: number): { task: string; result: string } {
  const result = paragraphs(length);
  return { task: `fill ${result.length / paragraphs(1).length} ${paragraph}`, result };
}

function paragraphs(length: number): string {
  return `${paragraph}\n\n`.repeat(Math.ceil(length / (paragraph.length + 2)));
}

function ordinary(length: number, index: number): string {
  const block = `## Part ${index}\n\nSome **bold** words, \`code\` and [a link](https://example.org/${index}).\n\n- one item\n- another item\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n`;
  return block.repeat(Math.ceil(length / block.length));
}
