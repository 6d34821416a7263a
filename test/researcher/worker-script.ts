import type { Script } from "../../src/scripted-model/script.ts";

const tool = (name: string): string => `mcp__worker-internal__${name}`;

/** Which of these a job does is said in its task. */
export const workerScript: Script = {
  name: "the jobs of the researcher's tests",
  turns: [
    { when: { userContains: "hang" }, reply: { text: "I think.", fault: { how: "hang" } } },
    { when: { userContains: "fail" }, reply: { error: { status: 400, message: "This cannot be asked with sk-not-a-key." } } },
    {
      when: { userContains: "thorough", step: 1 },
      reply: {
        text: "I begin with what is known.",
        tools: [
          { name: tool("update_summary"), input: { summary: "Half of the sources are read." } },
          { name: tool("record_decision"), input: { question: "Which year?", decision: "2026", reasoning: "The task says now." } },
          { name: tool("log_question"), input: { question: "May paid sources be used?\nThey cost 20 dollars." } },
          { name: tool("write_artifact"), input: { path: "data/table.csv", content: "year,value\n2026,1\n" } },
        ],
      },
    },
    {
      when: { userContains: "thorough", step: 2 },
      reply: { tools: [{ name: tool("submit_result"), input: { output: "# Report\n\nIt is so." } }] },
    },
    {
      when: { userContains: "submit, then hang", step: 1 },
      reply: { tools: [{ name: tool("submit_result"), input: { output: "Handed in." } }] },
    },
    { reply: { text: "A short report." } },
  ],
};
