import type { MemberName } from "../../schema/ids.ts";
import type { ToolDefinition } from "../../schema/tool.ts";

/** What a person has accepted of each member's tools. */
export interface AcceptedTools {
  /** Null for a member that was never seen connected. */
  read(member: MemberName): Promise<AcceptedTool[] | null>;
  write(member: MemberName, tools: readonly AcceptedTool[]): Promise<void>;
  /** When a member is removed, so that one that comes under its name is looked at anew. */
  forget(member: MemberName): Promise<void>;
}

export type AcceptedTool = { hash: string; definition: ToolDefinition };
