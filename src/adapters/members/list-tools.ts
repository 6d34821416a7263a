import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { z } from "zod";
import { ToolDefinition } from "../../schema/tool.ts";
import { ask } from "./member-client.ts";

export type ListedTools = {
  tools: ToolDefinition[];
  /** What is wrong with those that were left out, each in words. */
  leftOut: string[];
};

const most = { tools: 10_000, pages: 200, characters: 16 * 1024 * 1024 };

/** One broken tool does not take the others with it, so each is looked at by itself. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });
const Tool = ToolDefinition.extend({ description: z.string().default("") });

/** Asks for all tools, page by page, until the member says it is done or repeats itself. */
export async function listTools(client: Client, signal: AbortSignal): Promise<ListedTools> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], leftOut: [] };
  const tools = new Map<string, ToolDefinition>();
  const leftOut: string[] = [];
  const seen = new Set<string>();
  let characters = 0;
  let cursor: string | null = null;
  do {
    const page: z.infer<typeof Page> = await ask(client, { method: "tools/list", params: cursor === null ? {} : { cursor } }, Page, signal);
    for (const each of page.tools) {
      const tool = Tool.safeParse(each);
      characters += tool.success ? JSON.stringify(tool.data).length : 0;
      const problem = !tool.success ? explain(each, tool.error) : tools.has(tool.data.name) ? `${tool.data.name} is there twice` : null;
      if (tools.size >= most.tools || characters > most.characters) return { tools: [...tools.values()], leftOut: [...leftOut, tooMany] };
      if (problem !== null) leftOut.push(problem);
      else if (tool.success) tools.set(tool.data.name, tool.data);
    }
    cursor = page.nextCursor ?? null;
    if (cursor === null || seen.has(cursor)) break;
    seen.add(cursor);
  } while (seen.size < most.pages);
  return { tools: [...tools.values()], leftOut };
}

const tooMany = `there are more than the hall takes (${most.tools} tools, ${most.characters / 1024 / 1024} MiB)`;

function explain(tool: unknown, error: z.ZodError): string {
  const name = typeof tool === "object" && tool !== null && "name" in tool ? String(tool.name).slice(0, 100) : "a tool without a name";
  const issue = error.issues[0];
  return `${name}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is broken"}`;
}
