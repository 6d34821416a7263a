import type { ToolContext } from "./agent-run.ts";

/** What a tool is called with in a test where nothing waits for a slot. */
export const toolContext = (signal: AbortSignal = new AbortController().signal): ToolContext => ({
  signal,
  callId: "toolu_of_the_test",
  waitFor: (_what, work) => work(),
  recorded: () => Promise.resolve(),
});
