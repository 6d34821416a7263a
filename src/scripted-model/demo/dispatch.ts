import type { Turn } from "../script.ts";
import { saying } from "./saying.ts";

const asked = saying("job");
const dispatch = "mcp__researcher-dispatch__dispatch";

export const dispatchTurns: readonly Turn[] = [
  {
    when: { ...asked, step: 1, toolOffered: dispatch },
    reply: {
      text: "I hand a job to the researcher, who works on it without us.",
      tools: [{ name: dispatch, input: { description: "A demo of a job", task: "Show what a job can do." } }],
    },
  },
  {
    when: { ...asked, afterTool: dispatch, toolFailed: false },
    reply: {
      text: "the job is under way, and I do not wait for it. Look at **Jobs**: it tells where it stands, leaves a question there, and hands in a report.",
    },
  },
  {
    when: { ...asked, step: 1 },
    reply: { text: "this needs the researcher, who is not in this session. Add it to the members, and say **job** again." },
  },
  { when: asked, reply: { text: 'the researcher answered "{{toolResult.firstLine}}", so I stop here.' } },
];
