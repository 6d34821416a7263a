import type { AgentRun } from "../../core/agent/agent-run.ts";
import { nameForModel } from "../../core/agent/tool-name.ts";

export type MissingTool = {
  /** As the model would see it. */
  name: string;
  /** The guild member that brings it. Null for a tool of the SDK or of the hall. */
  member: string | null;
};

/**
 * Compares the tools that the SDK offers to the model with those of the run, by the names that the model sees. If several
 * tools have the same name, the SDK calls the first, and the others count as missing.
 */
export function compareTools(
  { builtInTools, toolServers }: Pick<AgentRun, "builtInTools" | "toolServers">,
  offered: readonly string[],
): { missing: MissingTool[]; extra: string[] } {
  const wanted = [
    ...builtInTools.map((name) => ({ name, member: null })),
    ...toolServers.flatMap(({ name: server, member = null, tools }) =>
      tools.map((tool) => ({ name: nameForModel(server, tool.name), member })),
    ),
  ];
  const left = new Set(offered);
  const missing = wanted.filter(({ name }) => !left.delete(name));
  return { missing, extra: [...left] };
}
