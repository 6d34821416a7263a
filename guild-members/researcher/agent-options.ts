import { relative } from "node:path";
import type { HookCallback, McpSdkServerConfigWithInstance, Options } from "@anthropic-ai/claude-agent-sdk";
import type { OpenJob } from "./job.ts";
import { sdkTools } from "./tool-guard.ts";
import { serverName } from "./worker-tools.ts";

export type OptionParts = {
  job: Pick<OpenJob, "id" | "folder" | "sdkFolder" | "settings" | "usedBefore">;
  env: Record<string, string>;
  systemPrompt: string;
  hasWebSearch: boolean;
  guard: HookCallback;
  tools: McpSdkServerConfigWithInstance;
  resumes: boolean;
};

/** All that the SDK is told. Nothing is left to its defaults that could reach beyond the job. */
export function agentOptions({ job, env, systemPrompt, hasWebSearch, guard, tools, resumes }: OptionParts): Options {
  const { settings, usedBefore } = job;
  return {
    cwd: job.folder,
    env,
    // Without `snapshot: false` a resumed session keeps the prompt it began with, and the memories of that time.
    systemPrompt: { type: "custom", prompt: systemPrompt, snapshot: false },
    ...(settings.model === null ? {} : { model: settings.model }),
    tools: sdkTools.filter((name) => hasWebSearch || name !== "WebSearch"),
    // Searches below the job's folder would otherwise go through the SDK's own files. A rule like this binds Grep and Glob too.
    disallowedTools: [`Read(./${relative(job.folder, job.sdkFolder)}/**)`],
    mcpServers: { [serverName]: tools },
    strictMcpConfig: true,
    settingSources: [],
    // Before each fetch the SDK asks Anthropic about the page. Where the model is elsewhere, that is none of their business.
    ...(hasWebSearch ? {} : { settings: { skipWebFetchPreflight: true } }),
    permissionMode: "bypassPermissions",
    allowDangerouslySkipPermissions: true,
    hooks: { PreToolUse: [{ onFailure: "block", timeout: 60, hooks: [guard] }] },
    // A task is text: no slash commands and no file mentions.
    verbatimPrompts: true,
    includePartialMessages: true,
    // Zero would mean no limit.
    maxTurns: Math.max(1, settings.maxTurns - usedBefore.turns),
    maxBudgetUsd: Math.max(0.000_001, settings.maxBudgetUsd - usedBefore.costUsd),
    ...(resumes ? { resume: job.id } : { sessionId: job.id }),
  };
}
