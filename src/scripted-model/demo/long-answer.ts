import type { Turn } from "../script.ts";
import { saying } from "./saying.ts";

const lineCount = 120;

const lines = Array.from(
  { length: lineCount },
  (_, index) => `${index + 1}. Line ${index + 1} of ${lineCount}. Press Stop whenever you have seen enough.`,
);

export const longAnswerTurns: readonly Turn[] = [
  {
    when: { ...saying("long answer"), step: 1 },
    reply: {
      text: `this takes about half a minute.\n\n${lines.join("\n")}\n\nThat was the whole of it. Nobody pressed Stop.`,
      chunkSize: 16,
      chunkDelayMs: 65,
    },
  },
];
