import type { Turn } from "../script.ts";
import { saying } from "./saying.ts";

const asked = saying("failing tool");

export const recoveryTurns: readonly Turn[] = [
  {
    when: { ...asked, step: 1, toolOffered: "Read" },
    reply: { text: "I read a file that does not exist.", tools: [{ name: "Read", input: { file_path: "no-such-file.md" } }] },
  },
  {
    when: { ...asked, step: 2, toolFailed: true, toolOffered: "Glob" },
    reply: {
      text: "the call failed, as planned. The failure came back as a result, so the run goes on: I look for what is there.",
      tools: [{ name: "Glob", input: { pattern: "**/*" } }],
    },
  },
  {
    when: { ...asked, step: 3, toolFailed: false },
    reply: {
      text: "the second call worked (lines in its result: {{toolResult.lineCount}}). A tool that fails is not the end of a run; the agent sees the reason and goes on.",
    },
  },
  { when: { ...asked, step: 1 }, reply: { text: "this needs the tool Read, and this agent was not given it. Its tools: {{tools}}." } },
  { when: asked, reply: { text: "the last tool answered differently from what this script expects, so it stops here." } },
];
