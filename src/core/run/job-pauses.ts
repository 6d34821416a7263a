import { HallError } from "../../schema/hall-error.ts";
import type { JobRunId } from "../../schema/ids.ts";
import type { JobRun, Raised, RunUsage } from "../../schema/run.ts";
import { money } from "../../schema/money.ts";
import type { AgentEnding, AgentRun } from "../agent/agent-run.ts";
import { isPassing } from "../passing-failure.ts";
import type { Used } from "./near-limits.ts";
import { pauseOf } from "./pause-of.ts";
import { untilReset } from "./pauses.ts";
import type { Pause, ResetClock } from "./pauses.ts";
import { mustBeRaised, turnsIn } from "./raised-limit.ts";
import { hasEnded, isPaused } from "./run-records.ts";
import type { RunRecords } from "./run-records.ts";
import type { JobRunEvent } from "./run-store.ts";
import type { RunningCosts } from "./running-costs.ts";
import { dayRefusal } from "./spending.ts";
import type { SpendingLedger } from "./spending.ts";

const retryMs = 1000;

/** `refused` says that the money ran out which runs share. */
export type FailedEnding = Extract<AgentEnding, { outcome: "failed" }> & { refused?: HallError };
export type FinalEnding = Extract<AgentEnding, { outcome: "completed" }> | FailedEnding;

export const outOfMoney = (refused: HallError): FailedEnding => ({ outcome: "failed", code: "budget", message: refused.message, refused });

export type JobPausesDeps = {
  records: RunRecords;
  ledger: SpendingLedger;
  costs: RunningCosts;
  resetClock: ResetClock;
  /** Whether a run goes on by itself when the model's usage limit is reset. */
  resumesAtReset: () => boolean;
  log: (run: JobRun, event: JobRunEvent) => Promise<void>;
  /** Lets a run go on. */
  wake: (id: JobRunId) => void;
  now: () => string;
  onProblem: (error: unknown) => void;
};

/** The waits of jobs' runs at a limit. They are in the record alone, and last over restarts. */
export function createJobPauses({ records, ledger, costs, resetClock, resumesAtReset, log, wake, now, onProblem }: JobPausesDeps) {
  /** Why the day's money does not let a run continue. `costUsd` is its cost that the ledger does not know yet. */
  function refusal(id: JobRunId, costUsd = 0): HallError | null {
    const today = ledger.today();
    return dayRefusal({ ...today, costUsd: today.costUsd + costUsd }, costs.excluding(id));
  }

  const timers = new Map<JobRunId, () => void>();

  /** Ends the pause of a run. Does nothing for a run that is not paused. `isReset`: the clock ended it, and no person. */
  async function resume(id: JobRunId, { raised = {}, isReset = false }: { raised?: Raised; isReset?: boolean } = {}): Promise<void> {
    if (!isPaused(records.mustGet(id))) return;
    const run = await records.change(id, (each) => ({
      ...each,
      state: "queued",
      waitingFor: null,
      raised: { ...each.raised, ...raised },
      resumes: isReset ? each.resumes + 1 : each.resumes,
    }));
    cancelTimer(id);
    wake(id);
    await log(run, { type: "resumed" }).catch(onProblem);
  }

  /** For a pause that ends without a request. A full disk is waited for. */
  function resumeAlone(id: JobRunId, how: { isReset?: boolean } = {}): void {
    resume(id, how).catch((error: unknown) => {
      onProblem(error);
      if (isPassing(error))
        timers.set(
          id,
          resetClock.schedule(retryMs, () => resumeAlone(id, how)),
        );
    });
  }

  function cancelTimer(id: JobRunId): void {
    timers.get(id)?.();
    timers.delete(id);
  }

  function usedOf(run: JobRun, used: RunUsage): Used[] {
    const { maxTurns, maxBudgetUsd } = limitsOf(run);
    const { costUsd, limit } = ledger.today();
    return [
      { limit: "turns", used: used.turns, most: maxTurns },
      { limit: "run", used: used.costUsd, most: maxBudgetUsd },
      { limit: "day", used: costUsd, most: limit.perDayUsd },
    ];
  }

  function mustWaitFor(id: JobRunId, kind: Pause["kind"]): Pause {
    const { waitingFor } = records.mustGet(id);
    if (waitingFor?.kind === "limit" && kind === "limit") return waitingFor;
    if (waitingFor?.kind === "budget" && kind === "budget") return waitingFor;
    throw new HallError("conflict", `The run does not wait for ${kind === "limit" ? "the model's usage limit" : "a limit of its own"}.`);
  }

  function waitForReset({ id, waitingFor }: JobRun): void {
    if (waitingFor?.kind !== "limit") return;
    timers.set(
      id,
      untilReset(waitingFor.until, resetClock, () => resumeAlone(id, { isReset: true })),
    );
  }

  return {
    refusal,
    /** How much is used of each limit, given what the run has used. */
    usedOf,

    /** Each process counts from zero, so it is given what the earlier ones left. Returns the limit that stands in the way, if one does. */
    limitsLeft(run: JobRun, used: RunUsage): AgentRun["limits"] | FailedEnding {
      const { maxTurns: mostTurns, maxBudgetUsd: mostUsd } = limitsOf(run);
      const refused = refusal(run.id);
      if (refused !== null) return outOfMoney(refused);
      const maxTurns = mostTurns - used.turns;
      if (maxTurns <= 0) return { outcome: "failed", code: "max_turns", message: `The run reached its limit of ${mostTurns} turns.` };
      if (mostUsd === null) return { maxTurns };
      if (used.costUsd >= mostUsd) return { outcome: "failed", code: "budget", message: `The run reached its limit of ${money(mostUsd)}.` };
      return { maxTurns, maxBudgetUsd: mostUsd - used.costUsd };
    },

    /** True if the run waits at a limit from now on. */
    async pauseAfter(run: JobRun, ending: FinalEnding, used: RunUsage): Promise<boolean> {
      if (hasEnded(run) || ending.outcome !== "failed") return false;
      const { refused = null } = ending;
      const pause = pauseOf({
        ending,
        refused,
        resumes: run.resumes,
        resumesAtReset: resumesAtReset(),
        words: limitWords(limitsOf(run), used),
        now: now(),
      });
      if (pause === null) return false;
      const paused = await records.change(run.id, (each) => ({
        ...each,
        state: "waiting",
        waitingFor: pause,
      }));
      waitForReset(paused);
      await log(paused, { type: "waiting", waitingFor: pause }).catch(onProblem);
      return true;
    },

    waitForReset,

    /** Tries the model again before its usage limit is reset. */
    async tryNow(id: JobRunId): Promise<void> {
      mustWaitFor(id, "limit");
      await resume(id);
    },

    async raise(id: JobRunId, to: number, used: RunUsage): Promise<void> {
      const pause = mustWaitFor(id, "budget");
      const limit = pause.kind === "budget" ? pause.limit : null;
      const present = usedOf(records.mustGet(id), used).find((each) => each.limit === limit);
      if (present !== undefined) mustBeRaised(to, present);
      if (limit === "day") await ledger.setLimit({ perDayUsd: to, until: "today" });
      await resume(id, limit === "turns" || limit === "run" ? { raised: { [limit]: to } } : {});
    },

    mustWaitAtLimit: (id: JobRunId): void => void mustWaitFor(id, "budget"),

    /** Another run has ended, the limit was raised, or it is another day: resumes those of these runs that waited for money. */
    onMoneyFreed(open: readonly JobRun[]): void {
      for (const { id, waitingFor } of open) {
        if (waitingFor?.kind === "budget" && waitingFor.limit === "day" && refusal(id) === null) resumeAlone(id);
      }
    },

    cancelTimer,
    close(): void {
      for (const id of timers.keys()) cancelTimer(id);
    },
  };
}

const limitWords =
  ({ maxTurns, maxBudgetUsd }: ReturnType<typeof limitsOf>, used: RunUsage) =>
  (limit: "run" | "turns"): string =>
    limit === "turns"
      ? `The run has taken ${turnsIn(used.turns)}, and its limit is ${maxTurns}.`
      : `The run has cost ${money(used.costUsd)}, and its limit is ${money(maxBudgetUsd ?? 0)}.`;

/** What the run may use in all, with what a person raised. */
export const limitsOf = ({ profile: { limits }, raised }: JobRun): { maxTurns: number; maxBudgetUsd: number | null } => ({
  maxTurns: raised.turns ?? limits.maxTurns,
  maxBudgetUsd: raised.run ?? limits.maxBudgetUsd,
});
