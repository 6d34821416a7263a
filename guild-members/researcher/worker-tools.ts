import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import type { McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import type { OpenJob } from "./job.ts";
import type { Memory } from "./memory.ts";

export const serverName = "worker-internal";

export type ToolParts = {
  job: OpenJob;
  memory: Memory;
  /** Called after each note that was stored. */
  onStored: () => void;
};

/**
 * All the agent can write with. The tools run in this process and not in the agent's, so the agent itself needs no right
 * to write anywhere. Each conversation needs a server of its own: the SDK serves only one with it.
 */
export function createWorkerTools({ job, memory, onStored }: ToolParts): McpSdkServerConfigWithInstance {
  return createSdkMcpServer({
    name: serverName,
    tools: [
      tool(
        "update_summary",
        "Tell in one or two sentences where the work stands. Replaces what was told before.",
        { summary: words(4_000) },
        async ({ summary }) => {
          await job.writeSummary(summary);
          return said("Told.");
        },
      ),
      tool(
        "record_decision",
        "Record a judgement call you made yourself, with your reasons, for people to review.",
        { question: words(10_000), decision: words(10_000), reasoning: words(10_000) },
        async (decision) => {
          await job.addDecision(decision);
          return said("Recorded.");
        },
      ),
      tool(
        "log_question",
        "Leave a question that only a person can answer. There is no answer during this job.",
        { question: words(10_000) },
        async ({ question }) => {
          await job.addQuestion(question);
          return said("Logged. Go on without the answer as well as you can, and say in the report what depends on it.");
        },
      ),
      tool(
        "store_memory",
        "Keep knowledge for later jobs. The key names the topic: letters, digits, dashes and underscores. An existing key is overwritten.",
        { key: z.string(), content: z.string() },
        async ({ key, content }) => {
          const kept = await memory.store(key, content);
          await job.addEvent({ type: "memory", key: kept });
          onStored();
          return said(`Kept as ${kept}.`);
        },
      ),
      tool(
        "write_artifact",
        "Write a file that belongs to the result. The path is relative to the folder of artifacts; an existing file is overwritten.",
        { path: z.string(), content: z.string() },
        async ({ path, content }) => said(`Written: ${await job.writeArtifact(path, content)}`),
      ),
      tool(
        "submit_result",
        "Hand in the report, as Markdown. Name the artifacts that belong to it by their paths, or leave them out to name all.",
        { output: words(1_000_000), artifacts: z.array(z.string()).max(1_000).optional() },
        async ({ output, artifacts }) => {
          await job.submitResult(output, artifacts);
          return said("Handed in. The job is done; stop here.");
        },
      ),
    ],
  });
}

const words = (most: number) => z.string().trim().min(1).max(most);

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
