import { HallError } from "../../schema/hall-error.ts";
import { newJobRunId, newSdkSessionId } from "../../schema/ids.ts";
import type { JobRun } from "../../schema/run.ts";
import type { WorkerDefinition } from "../../schema/worker-definition.ts";
import type { Approval } from "../../schema/approval.ts";
import type { RunStore } from "../run/run-store.ts";
import type { Runs } from "../run/runs.ts";
import { workerProfile } from "./worker-profile.ts";

/** The port to the definitions that people wrote. */
export interface WorkerDefinitions {
  /** Throws `not_found`, or `invalid_config` with the mistakes in the file. */
  read(name: string): Promise<WorkerDefinition>;
  /** Whether a name is that of one of them, whatever is wrong with it. */
  has(name: string): Promise<boolean>;
}

type NewRunDeps = {
  runs: Pick<Runs, "accept">;
  store: RunStore;
  definitions: WorkerDefinitions;
  /** The hall's own model; null lets the backend choose. */
  model: string | null;
  now: () => string;
  newPromptId: () => string;
};

const deepest = 5;

/** Starts runs of the hall's workers: for a person, or for a call of another worker. */
export function createRunStarter(deps: NewRunDeps) {
  const { runs, store, definitions, now } = deps;

  function newRun(
    definition: WorkerDefinition,
    task: string,
    from: Pick<JobRun, "parent" | "callId" | "depth" | "model"> & { root?: JobRun["root"] },
  ): JobRun {
    const id = newJobRunId();
    return {
      id,
      owner: { kind: "job", id },
      root: id,
      ...from,
      worker: definition.name,
      profile: workerProfile(definition, from.model.name),
      definition,
      conversation: newSdkSessionId(),
      state: "queued",
      waitingFor: null,
      attempt: 0,
      raised: {},
      resumes: 0,
      prompts: [{ id: deps.newPromptId(), text: task, tells: [] }],
      createdAt: now(),
      startedAt: null,
      endedAt: null,
      ending: null,
      output: null,
    };
  }

  return {
    async start(worker: string, task: string): Promise<JobRun> {
      const definition = await definitions.read(worker);
      const model =
        definition.model === null
          ? ({ name: deps.model, source: "hall" } as const)
          : ({ name: definition.model, source: "worker" } as const);
      return runs.accept(newRun(definition, task, { parent: null, callId: null, depth: 0, model }));
    },

    async startChild(parent: JobRun, callId: string, worker: string, input: unknown): Promise<JobRun> {
      const known = store.childrenOf(parent.id).find((child) => child.callId === callId);
      if (known !== undefined) return known;
      const allowed: readonly string[] = parent.definition.allow_workers;
      if (!allowed.includes(worker)) throw new HallError("bad_request", `You may call: ${allowed.join(", ")}.`);
      if (parent.depth >= deepest) throw new HallError("conflict", `Depth ${deepest} is reached.`);
      const definition = await definitions.read(worker);
      const model =
        definition.model === null
          ? ({ ...parent.model, source: "caller" } as const)
          : ({ name: definition.model, source: "worker" } as const);
      const task = typeof input === "string" ? input : JSON.stringify(input);
      return runs.accept(newRun(definition, task, { parent: parent.id, callId, root: parent.root, depth: parent.depth + 1, model }));
    },

    /** Who asks, and for whom, from the root down. */
    chainOf(run: JobRun): Approval["chain"] {
      const above = run.parent === null ? null : store.get(run.parent);
      return [...(above === null ? [] : this.chainOf(above)), { worker: run.worker, run: run.id }];
    },
  };
}
