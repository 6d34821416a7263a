/** `questions.md`: a Markdown list. A question of several lines goes on below, indented. */
export const writeQuestions = (questions: string[]): string =>
  questions.map((question) => `- ${question.replaceAll("\n", "\n  ")}\n`).join("");

/** What people wrote around the list is no question. */
export function readQuestions(text: string): string[] {
  const questions: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("- ")) questions.push(line.slice(2));
    else if (questions.length > 0 && (line.startsWith("  ") || line === "")) questions.push(`${questions.pop() ?? ""}\n${line.slice(2)}`);
  }
  return questions.map(tidyQuestion).filter((question) => question !== "");
}

export const tidyQuestion = (question: string): string => question.replaceAll(/\r\n?/g, "\n").trim();
