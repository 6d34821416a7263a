import type { Turn } from "../script.ts";

const lineCount = 120;

const lines = Array.from(
  { length: lineCount },
  (_, index) => `${index + 1}. Line ${index + 1} of ${lineCount}. Press Stop whenever you have seen enough.`,
);

export const longAnswerTurns: readonly Turn[] = [
  {
    when: { step: 1, userMatches: ["long answer*", "*a long answer*", "*the long answer*"] },
    reply: {
      text: `this takes about half a minute.\n\n${lines.join("\n")}\n\nThat was the whole of it. Nobody pressed Stop.`,
      chunkSize: 16,
      chunkDelayMs: 65,
    },
  },
];
