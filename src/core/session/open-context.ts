import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { ToolServer } from "../agent/agent-run.ts";
import { contextPreface, contextProblemPreface, mostContextShown } from "./context-preface.ts";
import type { ContextStore } from "./context-store.ts";
import { createContextTool } from "./context-tool.ts";

type OpenContextDeps = { store: ContextStore; sessionId: SessionId; onChanged: () => void };

/** The session's context file for one run: the text that goes with the message, and the tool that updates it. */
export async function openContext(deps: OpenContextDeps): Promise<{ preface: string; toolServer: ToolServer }> {
  try {
    const file = await deps.store.read(deps.sessionId);
    return {
      preface: contextPreface(file),
      toolServer: createContextTool({ ...deps, shown: { text: file.text, length: mostContextShown } }),
    };
  } catch (error) {
    // A person may have put anything there; the conversation goes on without it.
    if (!(error instanceof HallError)) throw error;
    return { preface: contextProblemPreface(error.message), toolServer: createContextTool({ ...deps, shown: null }) };
  }
}
