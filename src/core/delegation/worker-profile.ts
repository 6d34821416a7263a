import type { AgentProfile } from "../../schema/agent-profile.ts";
import type { WorkerDefinition } from "../../schema/worker-definition.ts";

/** The folder of a job's agent, inside that of the job. */
const work = "work";

/** The profile of a run of this worker. A worker has no tool that its definition does not declare. */
export function workerProfile(definition: WorkerDefinition, model: string | null): AgentProfile {
  const isWriter = Object.values(definition.sandboxes).some(({ mode }) => mode === "rw");
  const { max_turns: maxTurns, max_budget_usd: maxBudgetUsd } = definition.limits;
  return {
    instructions: definition.instructions,
    builtInTools: definition.built_in_tools,
    toolServers: [...(isWriter ? ["files"] : []), ...(definition.allow_workers.length > 0 ? ["delegation"] : [])],
    folders: { cwd: work, read: [work], write: [work] },
    limits: { maxTurns, maxBudgetUsd },
    model,
  };
}
