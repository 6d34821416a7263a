import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { ToolServer } from "../agent/agent-run.ts";
import { contextProblemPrompt, contextPrompt, mostContextShown } from "./context-prompt.ts";
import type { ContextStore } from "./context-store.ts";
import { createContextTool } from "./context-tool.ts";

type OpenContextDeps = { store: ContextStore; sessionId: SessionId; onChanged: () => void };

/** What one query gets of the session's context file: a part of its system prompt, and the tool that updates what it was shown there. */
export async function openContext(deps: OpenContextDeps): Promise<{ prompt: string; toolServer: ToolServer }> {
  try {
    const file = await deps.store.read(deps.sessionId);
    return {
      prompt: contextPrompt(file),
      toolServer: createContextTool({ ...deps, shown: { text: file.text, length: mostContextShown } }),
    };
  } catch (error) {
    // A person may have put anything there; the conversation goes on without it.
    if (!(error instanceof HallError)) throw error;
    return { prompt: contextProblemPrompt(error.message), toolServer: createContextTool({ ...deps, shown: null }) };
  }
}
