import type { Options, Settings, SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import type { ChildEnvironment } from "./child-environment.ts";
import type { ProcessShape } from "./process-shape.ts";
import type { Serving } from "./served-run.ts";
import { createToolGuard } from "./tool-guard.ts";
import { createToolServer } from "./tool-server.ts";

export type OptionParts = {
  shape: ProcessShape;
  serving: Serving;
  env: ChildEnvironment;
  /** Whether the conversation has a transcript to go on from. */
  resumes: boolean;
  spawn: (options: SpawnOptions) => SpawnedProcess;
  /** Called with the reason if the input of a tool was not checked. */
  onProblem?: ((error: unknown) => void) | undefined;
};

/** Everything an SDK process is told. Nothing is left to its defaults that could reach beyond the run. */
export function queryOptions({ shape, serving, env, resumes, spawn, onProblem }: OptionParts): Options {
  const { conversation, limits, toolServers } = shape;
  return {
    cwd: shape.folders.cwd,
    env: { ...env },
    // With a snapshot, a resumed conversation keeps the prompt it began with, and the provider's cache stays good.
    systemPrompt: { type: "custom", prompt: shape.systemPrompt, snapshot: shape.isResumable },
    ...(shape.model === undefined ? {} : { model: shape.model }),
    tools: [...shape.builtInTools],
    allowedTools: toolServers.map((server) => `mcp__${server.name}`),
    mcpServers: Object.fromEntries(toolServers.map((server) => [server.name, createToolServer(server, serving, onProblem)])),
    strictMcpConfig: true,
    settingSources: [],
    settings: settingsOf(shape, env),
    // Words of a person are words: no file mentions, no slash commands.
    verbatimPrompts: true,
    permissionMode: "dontAsk",
    hooks: {
      PreToolUse: [{ onFailure: "block", timeout: weekInSeconds, hooks: [createToolGuard(shape, serving)] }],
    },
    includePartialMessages: true,
    // Zero would mean no limit.
    maxTurns: Math.max(1, limits.maxTurns),
    ...(limits.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: limits.maxBudgetUsd }),
    ...conversationOptions(conversation, resumes),
    spawnClaudeCodeProcess: spawn,
  };
}

const settingsOf = ({ isResumable }: ProcessShape, env: ChildEnvironment): Settings => ({
  // Before each fetch the SDK asks Anthropic about the page's address. An endpoint elsewhere is chosen so that nothing goes there.
  ...(env["ANTHROPIC_BASE_URL"] === undefined ? {} : { skipWebFetchPreflight: true }),
  // A second wall beside the hook; and a transcript that waits for a person may wait for long.
  ...(isResumable
    ? { cleanupPeriodDays: 3650, permissions: { blockReadsOutsideWorkingDirectories: true, blockWritesOutsideWorkingDirectories: true } }
    : {}),
});

/** A gate may ask a person, who takes as long as it takes. */
const weekInSeconds = 7 * 24 * 60 * 60;

function conversationOptions(conversation: ProcessShape["conversation"], resumes: boolean): Options {
  if (conversation === null) return { persistSession: false };
  return resumes ? { resume: conversation.id } : { sessionId: conversation.id };
}
