import type { Turn } from "../script.ts";
import { saying } from "./saying.ts";

const asked = saying("tour");
const page = "artifacts/tour.md";

const write = {
  name: "Write",
  input: {
    file_path: page,
    content: `# A page from the tour

A scripted demo wrote this file with the tool Write. No AI was involved.

Files that a session makes for you lie in its folder \`artifacts/\`. They are plain files: open them with any program.
`,
  },
};

const ending = `That was the tour. Each call above really ran: the agent program asked, the hall checked that the path lies inside this session's folder, and the tool answered.

With a real model connected, the model decides which tools to use. Next, try **failing tool**, **long answer** or **error**.`;

export const tourTurns: readonly Turn[] = [
  {
    when: { ...asked, step: 1, toolOffered: "Glob" },
    reply: { text: "I start by listing the files of this session's folder.", tools: [{ name: "Glob", input: { pattern: "**/*" } }] },
  },
  {
    when: { ...asked, afterTool: "Glob", toolResultContains: "context.md", toolOffered: "Read" },
    reply: {
      text: "one of them is the session's context, which I read next.",
      tools: [{ name: "Read", input: { file_path: "context.md" } }],
    },
  },
  {
    when: { ...asked, afterTool: ["Glob", "Read"], toolOffered: "Write" },
    reply: { text: "I write a page of my own.", tools: [write] },
  },
  {
    when: { ...asked, afterTool: "Write", toolFailed: false },
    reply: { text: `the file is written; you find \`${page}\` among the artifacts of this session.\n\n${ending}` },
  },
  { when: { ...asked, step: 1 }, reply: { text: "the tour needs the tool Glob, and this agent was not given it. Its tools: {{tools}}." } },
  { when: asked, reply: { text: `the last tool answered "{{toolResult.firstLine}}", so I stop here.\n\n${ending}` } },
];
