import type { JobRunId } from "../../schema/ids.ts";
import type { RunDetail, RunNode, RunTree, RunUsage } from "../../schema/run.ts";
import { sumOfUsage } from "./sum-of-usage.ts";
import { actionsOf } from "./run-actions.ts";
import type { RunRecords } from "./run-records.ts";
import type { RunStore } from "./run-store.ts";

/** Jobs' runs as a person sees them. */
export function createRunViews({ store, records }: { store: RunStore; records: RunRecords }) {
  async function detail(id: JobRunId): Promise<RunDetail> {
    const { owner, parent, root, depth, worker, model, state, waitingFor, attempt, startedAt, endedAt, ending, output } =
      records.mustGet(id);
    const children = store.childrenOf(id).map((child) => child.id);
    const actions = actionsOf({ state, waitingFor, readsNotes: false });
    const run = { id, owner, parent, root, depth, worker, model, state, waitingFor, attempt, startedAt, endedAt, ending, output };
    return { ...run, usage: await store.usage(id), children, actions };
  }

  async function node(id: JobRunId): Promise<RunNode> {
    const { worker, state, waitingFor } = records.mustGet(id);
    const children = await Promise.all(store.childrenOf(id).map((child) => node(child.id)));
    return { id, worker, state, waitingFor, usage: await store.usage(id), children };
  }

  return {
    detail,
    /** The whole tree, whichever of its runs is asked for. */
    async tree(id: JobRunId): Promise<RunTree> {
      const root = await node(records.mustGet(id).root);
      return { root, usage: sumOf(root) };
    },
  };
}

const sumOf = ({ usage, children }: RunNode): RunUsage => children.map(sumOf).reduce(sumOfUsage, usage);
