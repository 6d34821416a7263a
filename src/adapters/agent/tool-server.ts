import type { McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Tool, ToolContext, ToolResult, ToolServer } from "../../core/agent/agent-run.ts";
import { createInputChecker } from "../check-input.ts";
import type { InputIssue } from "../input-issues.ts";
import { boundResult } from "./bound-result.ts";
import { maxResultCharacters } from "../../core/agent/bound-text.ts";
import { isWrapped, notWrapped, schemaForModel, unwrapInput } from "./input-wrapping.ts";
import { openRun } from "./served-run.ts";
import type { Serving } from "./served-run.ts";

/**
 * A server object for one process. It must be a new one each time: an object that serves two processes at once leaves
 * the second without tools, and without a word. Calls go to the tools of the run that is served at that moment.
 */
export function createToolServer(
  offer: ToolServer,
  serving: Serving,
  onProblem?: (error: unknown) => void,
): McpSdkServerConfigWithInstance {
  const checkInput = createInputChecker(onProblem);
  const server = new Server({ name: offer.name, version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offer.tools.map(describe) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const run = openRun(serving);
    if (run === null) return failure("This run has ended.");
    const tool = run.toolServers.find((one) => one.name === offer.name)?.tools.find((one) => one.name === params.name);
    if (tool === undefined) return failure(`${offer.name} has no tool "${params.name}".`);
    const given = params.arguments ?? {};
    const unwrapped = isWrapped(tool.inputSchema) ? unwrapInput(given) : { input: given };
    if (unwrapped === null) return failure(notWrapped(tool.name));
    const { input } = unwrapped;
    const issues = checkInput(tool.inputSchema, input);
    if (issues.length > 0) return failure(`The input of ${tool.name} does not fit: ${issues.map(wordsFor).join("; ")}.`);
    const callId = z.string().catch("").parse(params._meta?.[callIdKey]);
    const result = await call(tool, input, {
      signal: AbortSignal.any([signal, run.signal]),
      callId,
      waitFor: (_what, work) => work(),
      recorded: () => run.recorded(callId),
    });
    if (result.parks === true && result.isError !== true) run.parks();
    return asMcp(boundResult(result));
  });
  // The SDK declares the high-level class here and uses only `connect` and `close`, which the low-level one has too;
  // only the low-level one takes JSON Schema as it is.
  const instance = server as unknown as McpSdkServerConfigWithInstance["instance"];
  return { type: "sdk", name: offer.name, instance, timeout: longestTimeoutMs };
}

/** A call may wait for a person; without it the SDK would fail the call after 27.8 hours. More than this is not possible. */
const longestTimeoutMs = 2_147_483_647;

/** Where the SDK says which call of the model this is. */
const callIdKey = "claudecode/toolUseId";

function describe(tool: Tool): McpTool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: schemaForModel(tool.inputSchema),
    annotations: { readOnlyHint: tool.readOnly ?? false },
    // Results above 50,000 characters would otherwise be replaced by a preview and a file the model cannot read.
    _meta: { "anthropic/maxResultSizeChars": maxResultCharacters * 2 },
  };
}

const wordsFor = ({ path, message }: InputIssue): string => `${path === "" ? "it" : path} ${message}`;

/** A tool that throws has failed, and the model is told; the run goes on. */
async function call(tool: Tool, input: unknown, context: ToolContext): Promise<ToolResult> {
  try {
    return await tool.call(input, context);
  } catch (error) {
    return { content: [{ type: "text", text: error instanceof Error ? error.message : String(error) }], isError: true };
  }
}

const asMcp = (result: ToolResult): CallToolResult => ({
  content: [...result.content].map(asMcpContent),
  ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
  isError: result.isError ?? false,
  ...(result.parks === true ? { _meta: { "claude/endTurn": true } } : {}),
});

function asMcpContent(content: ToolResult["content"][number]): CallToolResult["content"][number] {
  if (content.type !== "resource") return content;
  const { uri, mimeType, text, blob } = content.resource;
  const about = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
  return { type: "resource", resource: blob === undefined ? { ...about, text: text ?? "" } : { ...about, blob } };
}

const failure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });
