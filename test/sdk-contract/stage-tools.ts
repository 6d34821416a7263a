import type { HookJSONOutput, McpSdkServerConfigWithInstance, Options } from "@anthropic-ai/claude-agent-sdk";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

export type StageTool = { name: string; inputSchema?: Record<string, unknown>; readOnly?: boolean; call?: ToolCall };
export type ToolCall = (input: Record<string, unknown>, signal: AbortSignal) => Result | Promise<Result>;
type Result = string | CallToolResult;

/** An in-process server that, like the product's, passes schemas to the SDK as they are. With null, it never lists any. */
export function serverOf(name: string, tools: readonly StageTool[] | null, timeout?: number): McpSdkServerConfigWithInstance {
  const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });
  // Some of the schemas are wrong on purpose, so the types of MCP do not fit.
  server.setRequestHandler(ListToolsRequestSchema, () => (tools === null ? never() : { tools: tools.map(describe) as never }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const call = tools?.find((tool) => tool.name === params.name)?.call ?? (() => "done");
    const result = await call(params.arguments ?? {}, signal);
    return typeof result === "string" ? textResult(result) : result;
  });
  // The SDK uses only what the low-level class has too, and only that one takes schemas as they are.
  const instance = server as unknown as McpSdkServerConfigWithInstance["instance"];
  return { type: "sdk", name, instance, ...(timeout === undefined ? {} : { timeout }) };
}

const never = () => new Promise<never>(() => {});

const describe = ({ name, inputSchema = { type: "object" }, readOnly = false }: StageTool) => ({
  name,
  inputSchema,
  annotations: { readOnlyHint: readOnly },
});

/** The server `work` with two tools that do the same; `look` is read-only. */
export function work(call: ToolCall = didIt, timeout?: number): Pick<Options, "mcpServers"> {
  const tools = [
    { name: "step", call },
    { name: "look", call, readOnly: true },
  ];
  return { mcpServers: { work: serverOf("work", tools, timeout) } };
}

const didIt: ToolCall = ({ n }) => `did ${String(n)}`;

export const step = (n: number) => ({ name: "mcp__work__step", input: { n } });
export const look = (n: number) => ({ name: "mcp__work__look", input: { n } });
export const writing = (path: string, content: string) => ({ name: "Write", input: { file_path: path, content } });

const textResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

export const endTurn = (text: string): CallToolResult => ({ ...textResult(text), _meta: { "claude/endTurn": true } });

type Additions = { updatedInput?: Record<string, unknown>; additionalContext?: string };

export const allow = (additions: Additions = {}): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", ...additions },
});

export const deny = (permissionDecisionReason: string): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
});

export const park = (reason: string, stopReason = "It waits."): HookJSONOutput => ({ ...deny(reason), continue: false, stopReason });
