import type { Condition, Script, Turn } from "../../src/scripted-model/script.ts";
import { minutesAgo } from "../../test/web/stored-sessions.ts";
import type { StoredSession } from "../../test/web/stored-sessions.ts";

/** What a hall in use has on its Board. */
export const earlierSessions: readonly StoredSession[] = [
  {
    name: "Quotes for the new pontoon",
    says: ["Compare the three quotes I attached.", "The second one is cheaper over ten years, because its anodes last twice as long."],
    preview: "The second one is cheaper over ten years, because its anodes last twice as long.",
    lastActivityAt: minutesAgo(1450),
    costUsd: 0.31,
  },
  {
    name: "Letter to the harbour office",
    says: ["Make it shorter, and friendlier.", "Done: half as long, and the deadline is in the first line now."],
    preview: "Done: half as long, and the deadline is in the first line now.",
    lastActivityAt: minutesAgo(1600),
    costUsd: 0.08,
  },
  {
    name: "Winter berths",
    says: ["Who has not answered yet?"],
    preview: "Who has not answered yet?",
    error: { code: "model_rate_limited", message: "The usage limit of the model is reached. Try again later." },
    lastActivityAt: minutesAgo(3000),
    costUsd: 0.02,
  },
  {
    name: "Safety rounds, checklist",
    status: "completed",
    says: ["Turn my notes into a checklist.", "It has 14 points now; three of your notes said the same."],
    preview: "It has 14 points now; three of your notes said the same.",
    lastActivityAt: minutesAgo(4400),
    costUsd: 0.12,
  },
];

export const question = "When can we bring the barge in next week? She needs 3.2 m under her.";

export const context = `## Goal

Bring the barge in before the storms.

## Decisions

## In progress

## Resources

- artifacts/tides.csv
`;

export const tides = `day;high water;depth
Mon;05:58;2.9
Tue;06:41;3.6
Wed;07:25;3.4
Thu;08:12;3.1
Fri;09:03;2.7
`;

const answer = `There are **two windows** next week:

| day | she floats from | until | depth at high water |
| --- | --- | --- | --- |
| Tuesday | 05:50 | 07:35 | 3.6 m |
| Wednesday | 06:50 | 08:00 | 3.4 m |

I would take **Tuesday**: it leaves 40 cm to spare and an hour and three quarters to come in. Thursday looks close, but at 3.1 m she would sit on the ground for`;

const inSession: Condition = { userContains: "bring the barge in" };

const sessionTurns: readonly Turn[] = [
  {
    when: { ...inSession, step: 1 },
    reply: {
      text: "I look at the tide table, and draw it.",
      tools: [
        { name: "Read", input: { file_path: "artifacts/tides.csv" } },
        { name: "mcp__example__draw_chart", input: { values: [2.9, 3.6, 3.4, 3.1, 2.7] } },
      ],
    },
  },
  {
    when: { ...inSession, step: 2 },
    reply: {
      text: "I note down what is settled, so that it is not lost.",
      tools: [
        {
          name: "mcp__guild_hall__update_context",
          input: { section: "decisions", content: "- Days with 3.2 m and more.\n- Tuesday, else Wednesday.", mode: "replace" },
        },
      ],
    },
  },
  // It stops in the middle of a sentence, and so it can be photographed there.
  {
    when: { ...inSession, step: 3 },
    reply: { text: `${answer} half an hour.`, chunkSize: answer.length, fault: { how: "stall", afterChunks: 1 } },
  },
];

/** Tasks of jobs; the first is photographed while it runs, the second when it is done. */
export const tasks = {
  running: "Which tide service can we rely on for the next five years?",
  done: "What does a new pontoon cost to keep, year by year?",
};

const tool = (name: string): string => `mcp__worker-internal__${name}`;
const inJob = (task: string): Condition => ({ toolOffered: tool("submit_result"), userContains: task });

const turnsOf = (
  task: string,
  calls: readonly (readonly [name: string, text: string, input: Record<string, string | string[]>])[],
  last: Turn["reply"],
): Turn[] => [
  ...calls.map(([name, text, input], at) => ({
    when: { ...inJob(task), step: at + 1 },
    reply: { text, tools: [{ name: tool(name), input }] },
  })),
  { when: inJob(task), reply: last },
];

const runningTurns = turnsOf(
  tasks.running,
  [
    ["update_summary", "I begin with who publishes tides at all.", { summary: "Three services cover the harbour; reading their terms." }],
    [
      "record_decision",
      "The task does not say how exact is exact enough.",
      { question: "How exact must it be?", decision: "Within 10 cm.", reasoning: "The barge has 40 cm to spare on a good day." },
    ],
    [
      "write_artifact",
      "The terms go into a table.",
      { path: "services.md", content: "| service | price | licence |\n| --- | --- | --- |\n" },
    ],
    [
      "log_question",
      "This one only a person can answer.",
      { question: "May the data be used by the ferry as well? Two of the three licences forbid it." },
    ],
    [
      "update_summary",
      "On to how often they were wrong.",
      { summary: "Comparing last year's forecasts with the gauge at the pier, month by month." },
    ],
  ],
  { text: "I compare", fault: { how: "stall", afterChunks: 1 } },
);

const report = `## Question

What a floating pontoon of 24 m costs to keep, once it is bought, over ten years.

## Answer

About **1,800 a year**, and twice that in the fifth year, when the chains are due. Wood is cheaper to buy and dearer to keep: the two are even after seven years.

| year | aluminium | wood |
| --- | ---: | ---: |
| 1 to 4 | 1,400 | 2,300 |
| 5 | 3,800 | 4,100 |
| 6 to 10 | 1,700 | 2,900 |

## Evidence

- The three quotes, for anodes and chains
- The harbour's own bills of 2019 to 2025, for the wooden one

## Confidence

Medium: prices of steel moved by a third in that time.
`;

const doneTurns = turnsOf(
  tasks.done,
  [
    ["update_summary", "I begin with the bills.", { summary: "Done: aluminium costs less to keep, and is even after seven years." }],
    ["write_artifact", "The figures, year by year.", { path: "costs.csv", content: "year;aluminium;wood\n1;1400;2300\n" }],
    ["submit_result", "And the report.", { output: report, artifacts: ["costs.csv"] }],
  ],
  { text: "The job is done." },
);

/** Nobody can take it for Claude: the hall that plays it says that a script answers. */
export const storyScript: Script = {
  name: "the story of the pictures",
  defaults: { usage: { inputTokens: 5200, outputTokens: 310 } },
  turns: [...sessionTurns, ...runningTurns, ...doneTurns],
};
