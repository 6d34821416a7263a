import type { AgentRun } from "../../core/agent/agent-run.ts";
import type { ChildEnvironment } from "./child-environment.ts";

/** The part of a run that a process is started with. The rest reaches it when it serves the run. */
export type ProcessShape = Pick<
  AgentRun,
  "systemPrompt" | "model" | "builtInTools" | "toolServers" | "folders" | "limits" | "conversation"
> & {
  /** Work that goes on later: its transcript is kept until its owner removes it. */
  isResumable: boolean;
  /** Credentials, address and network settings of the model. */
  backend: ChildEnvironment;
};

export const shapeOf = (run: Omit<AgentRun, "prompt" | "signal">, backend: ChildEnvironment): ProcessShape => ({
  systemPrompt: run.systemPrompt,
  ...(run.model === undefined ? {} : { model: run.model }),
  builtInTools: run.builtInTools,
  toolServers: run.toolServers,
  folders: run.folders,
  limits: run.limits,
  conversation: run.conversation,
  isResumable: run.isResumable === true,
  backend,
});

/** Equal for shapes that one process can serve alike. What tools do is not compared, only what the model is told of them. */
export const fingerprint = (shape: ProcessShape): string =>
  JSON.stringify([
    shape.systemPrompt,
    shape.model ?? null,
    shape.builtInTools,
    shape.toolServers.map(({ name, tools }) => [
      name,
      tools.map((tool) => [tool.name, tool.description, tool.inputSchema, tool.readOnly ?? false]),
    ]),
    shape.folders,
    shape.limits,
    shape.conversation,
    shape.backend,
  ]);
