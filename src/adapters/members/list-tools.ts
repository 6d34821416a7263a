import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { z } from "zod";
import { ToolDefinition } from "../../schema/tool.ts";
import { ask } from "./member-client.ts";
import { isTooDeep, tooDeep } from "./nesting.ts";
import { wellFormed } from "../../schema/well-formed.ts";
import { withoutNulls } from "../../core/without-nulls.ts";

export type ListedTools = {
  tools: ToolDefinition[];
  /** What is wrong with those that were left out, each in words. */
  leftOut: string[];
};

const most = { tools: 10_000, pages: 200, characters: 16 * 1024 * 1024 };

/** One broken tool does not take the others with it, so each is looked at by itself. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });
const Tool = z.preprocess(
  withoutNulls,
  ToolDefinition.extend({
    description: z.string().default(""),
    annotations: z.preprocess(withoutNulls, ToolDefinition.shape.annotations).optional(),
  }),
);

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
      const tool = readTool(each);
      characters += typeof tool === "string" ? 0 : JSON.stringify(tool).length;
      if (tools.size >= most.tools || characters > most.characters) return { tools: [...tools.values()], leftOut: [...leftOut, tooMany] };
      if (typeof tool === "string") leftOut.push(tool);
      else if (tools.has(tool.name)) leftOut.push(`${shortName(tool)}: It is there twice.`);
      else tools.set(tool.name, tool);
    }
    cursor = page.nextCursor ?? null;
    if (cursor === null || seen.has(cursor)) break;
    seen.add(cursor);
  } while (seen.size < most.pages);
  return { tools: [...tools.values()], leftOut };
}

const tooMany = `there are more than the hall takes (${most.tools} tools, ${most.characters / 1024 / 1024} MiB)`;

/** A definition, or what is wrong with it. */
function readTool(value: unknown): ToolDefinition | string {
  if (isTooDeep(value)) return `${shortName(value)}: ${tooDeep}`;
  if (hasBrokenName(value)) return `${shortName(value)}: ${brokenName}`;
  const tool = Tool.safeParse(wellFormed(value));
  if (tool.success) return tool.data;
  const [issue] = tool.error.issues;
  return `${shortName(value)}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is broken"}`.slice(0, 300).toWellFormed();
}

/** Repaired, it would name no tool of the member. */
const hasBrokenName = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" && !value.name.isWellFormed();

const brokenName = "Its name holds half of a character, such as one half of an emoji. Correct the name in the member's program.";

const shortName = (tool: unknown): string =>
  typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string"
    ? tool.name.slice(0, 100).toWellFormed()
    : "a tool without a name";
