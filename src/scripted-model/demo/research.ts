import type { Condition, Turn } from "../script.ts";

/** Only a worker has these, so a job is told from a session whatever its task says. */
const tool = (name: string): string => `mcp__worker-internal__${name}`;
const inJob: Condition = { toolOffered: tool("submit_result") };

const report = `> **Scripted demo, no AI.** No model is connected, so nobody looked into the question. This report shows what one looks like.

## Question

What you dispatched. It is in \`task.md\` in the folder of this job; the script did not read it.

## Answer

There is none yet. Connect a model and dispatch the job again: the button is on its page.

## Evidence

- This job is real: a worker took it, ran the agent program, and the agent called its tools.
- \`artifacts/demo/steps.md\` was written by one of them.

## Confidence

High, that this is a script.

## Open questions

One was left for you, so that you can see where questions show.
`;

const steps = `# What this job did

1. It told where it stands.
2. It settled something on its own, and recorded why.
3. It left a question for a person.
4. It wrote this file.
5. It kept something for later jobs.
6. It handed in its report.

A scripted demo wrote this. No AI was involved.
`;

const calls: readonly (readonly [name: string, text: string, input: Record<string, string | string[]>])[] = [
  ["update_summary", "I say where I stand.", { summary: "Scripted demo, no AI: playing through what a job can do." }],
  [
    "record_decision",
    "something is open, so I settle it and record why.",
    {
      question: "How deep should this go?",
      decision: "Not at all.",
      reasoning: "A script cannot think; it can only show where decisions appear.",
    },
  ],
  [
    "log_question",
    "this one only a person can answer.",
    { question: "Scripted demo, no AI: would you like a real model to look into this?" },
  ],
  ["write_artifact", "I write a file that belongs to the result.", { path: "demo/steps.md", content: steps }],
  ["store_memory", "later jobs can use what this one learned.", { key: "demo", content: "A scripted demo ran here. It learned nothing." }],
  ["submit_result", "and I hand in the report.", { output: report, artifacts: ["demo/steps.md"] }],
];

/** A job of the bundled worker, or of one that was copied from it. */
export const researchTurns: readonly Turn[] = [
  // Whatever a script made of them, the memories would be worse for it.
  { when: { systemContains: "You condense the memory" }, reply: { error: { status: 400, message: "a script cannot condense anything." } } },
  ...calls.map(([name, text, input], index) => ({
    when: { ...inJob, step: index + 1 },
    reply: { text, tools: [{ name: tool(name), input }] },
  })),
  { when: inJob, reply: { text: "the job is done." } },
];
