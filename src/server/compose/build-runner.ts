import { createAgentRunner } from "../../adapters/agent/agent-runner.ts";
import type { Backend } from "../../adapters/agent/backend.ts";
import { createChildRecords } from "../../adapters/files/child-records.ts";
import { endOrphans } from "../../adapters/processes/end-orphans.ts";
import { createProcessFamilies } from "../../adapters/processes/process-families.ts";
import type { AgentRunner } from "../../core/agent/agent-run.ts";
import type { Parts } from "./parts.ts";

export async function buildRunner({ config, layout, log, env, closers }: Parts, backend: () => Backend): Promise<AgentRunner> {
  const onFailure = (err: unknown) => log.warn({ err }, "a child could not be recorded");
  const children = createChildRecords(layout.agentStates, onFailure);
  const orphans = await endOrphans(children, createProcessFamilies());
  if (orphans > 0) log.warn({ orphans }, "ended agents that a killed hall had left");
  const { startsAtOnce, waiting } = config.runs;
  const runner = createAgentRunner({
    backend,
    folders: { home: layout.claude.home, config: layout.claude.config, temporary: layout.claude.temporary },
    hostEnv: env,
    onStart: children.onStart,
    onSpawn: children.onSpawn,
    onExit: children.onExit,
    onProblem: (err) => log.warn({ err }, "agents"),
    limits: {
      stallMs: config.agent.stallSeconds * 1000,
      warmCount: waiting,
      ...(startsAtOnce === null ? {} : { maxStarting: startsAtOnce }),
    },
  });
  closers.push(runner.close);
  return runner;
}
