import { createHash } from "node:crypto";
import type { ToolDefinition } from "../../schema/tool.ts";

/** Equal for definitions that say the same, in whatever order their keys come; different as soon as a model would be told something else. */
export function hashTool({ name, title, description, inputSchema, outputSchema, annotations }: ToolDefinition): string {
  const told = [name, title ?? null, description, inputSchema, outputSchema ?? null, annotations ?? null];
  return `sha256:${createHash("sha256").update(JSON.stringify(told, withSortedKeys)).digest("hex")}`;
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // Keys that look like numbers come first whatever the order, so sorting all of them is a canonical form all the same.
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
