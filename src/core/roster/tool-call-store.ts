import type { ToolCallId } from "../../schema/ids.ts";
import type { ToolCall, ToolCallList, ToolCallQuery } from "../../schema/tool-call.ts";

/** The calls people made and saved. History is bounded, oldest first out; what is saved stays until somebody deletes it. */
export interface ToolCallStore {
  add(call: ToolCall): Promise<void>;
  /** Newest first. */
  list(query: ToolCallQuery): Promise<ToolCallList>;
  /** False where there is no such call. */
  remove(id: ToolCallId): Promise<boolean>;
}
