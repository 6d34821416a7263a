import type { SessionId } from "../../schema/ids.ts";
import type { Session } from "../../schema/session.ts";
import type { AgentRunner } from "../agent/agent-run.ts";
import { prepareRun, processOf } from "./prepared-run.ts";
import type { RunDeps } from "./prepared-run.ts";

type WarmDeps = RunDeps & { runner: AgentRunner; onProblem: (error: unknown) => void };

/** Has a process wait for the next message of each session that somebody has open, so that the answer begins at once. */
export function createWarmSessions(deps: WarmDeps) {
  const onlookers = new Map<SessionId, number>();

  async function warm(id: SessionId): Promise<void> {
    const session = await deps.store.get(id);
    if (session?.status !== "idle" || !onlookers.has(id)) return;
    await deps.runner.warm(processOf(deps, id, await prepareRun(deps, session)), id);
    if (!onlookers.has(id)) await deps.runner.dropWarm(id);
  }

  async function warmIfOf(id: SessionId, member: string): Promise<void> {
    const session = await deps.store.get(id);
    if (session?.members.includes(member) === true) await warm(id);
  }

  return {
    /** Somebody looks at the session until they call what this answers. */
    lookAt(id: SessionId): () => void {
      onlookers.set(id, (onlookers.get(id) ?? 0) + 1);
      warm(id).catch(deps.onProblem);
      return () => {
        const left = (onlookers.get(id) ?? 1) - 1;
        if (left > 0) return void onlookers.set(id, left);
        onlookers.delete(id);
        deps.runner.dropWarm(id).catch(deps.onProblem);
      };
    },

    /** A session changed: one that came to rest may be asked again, one that is gone will not. */
    onChange({ id, status }: { id: SessionId; status: Session["status"] | null }): void {
      if (!onlookers.has(id)) return;
      if (status === "idle") warm(id).catch(deps.onProblem);
      if (status === null) deps.runner.dropWarm(id).catch(deps.onProblem);
    },

    /** A process that waits was told of tools that a member no longer has, or not of those it has now. */
    onMemberChange(member: string): void {
      for (const id of onlookers.keys()) warmIfOf(id, member).catch(deps.onProblem);
    },
  };
}
