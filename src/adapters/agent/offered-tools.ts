import type { AgentRun } from "../../core/agent/agent-run.ts";
import { nameForModel } from "../../core/agent/tool-name.ts";

/**
 * Compares the tools that the SDK offers to the model with those of the run. A tool whose name another one has already
 * counts as missing: the SDK calls the first of them.
 */
export function compareTools(
  { builtInTools, toolServers }: Pick<AgentRun, "builtInTools" | "toolServers">,
  offered: readonly string[],
): { missing: string[]; extra: string[] } {
  const wanted = [...builtInTools, ...toolServers.flatMap(({ name, tools }) => tools.map((tool) => nameForModel(name, tool.name)))];
  const left = new Set(offered);
  const missing = wanted.filter((name) => !left.delete(name));
  return { missing, extra: [...left] };
}
