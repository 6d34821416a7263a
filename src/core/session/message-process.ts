import type { HallError } from "../../schema/hall-error.ts";
import type { AgentProfile } from "../../schema/agent-profile.ts";
import type { MessageId } from "../../schema/ids.ts";
import { money } from "../../schema/money.ts";
import type { Session } from "../../schema/session.ts";
import type { AgentRun, AgentRunner } from "../agent/agent-run.ts";
import { textIn } from "../run/notes.ts";
import type { RunParts, Spent } from "../run/carry-out.ts";
import type { MessageRun } from "./message-run.ts";
import { prepareRun, processOf } from "./prepared-run.ts";
import type { PreparedRun, RunDeps } from "./prepared-run.ts";
import { turnsIn } from "../run/raised-limit.ts";
import { refusal } from "./session-budget.ts";

/** Limits of one run that a person raised while it waited. */
export type Raises = Map<MessageId, { turns?: number; run?: number }>;

type MessageProcessDeps = RunDeps & {
  runner: AgentRunner;
  newPromptId: () => string;
  /** Keeps the profile that the run begins with, before its first process. */
  onBegin: (profile: AgentProfile) => Promise<void>;
};

/** The processes of one message's run: what each is asked and may use, after what the ones before it have used. */
export function createMessageProcess(
  deps: MessageProcessDeps,
  { id, owner, message }: MessageRun,
  session: Session,
  raises: Raises,
): Pick<RunParts, "prepare" | "refresh" | "refusal" | "reached" | "usedOf" | "words"> {
  const { limits, ledger, running } = deps;
  const promptId = deps.newPromptId();
  let current = session;
  let begunWith: AgentProfile | null = null;

  const mostUsd = (): number | null => raises.get(id)?.run ?? current.limits.maxBudgetUsd ?? limits.maxBudgetUsd;
  const mostTurns = (): number => raises.get(id)?.turns ?? current.limits.maxTurns ?? limits.maxTurns;
  const turnsOf = ({ usage }: Spent): number => usage?.turns ?? 0;

  function todayWith({ costUsd, isEstimate }: Spent): ReturnType<typeof ledger.today> {
    const today = ledger.today();
    return { ...today, costUsd: today.costUsd + costUsd, isEstimate: today.isEstimate || (costUsd > 0 && isEstimate) };
  }

  function sessionWith(spent: Spent): Session {
    const usd = mostUsd();
    return {
      ...current,
      costUsd: current.costUsd + spent.costUsd,
      limits: {
        ...current.limits,
        maxTurns: mostTurns() - turnsOf(spent),
        ...(usd === null ? {} : { maxBudgetUsd: usd - spent.costUsd }),
      },
    };
  }

  /** What the conversation holds already is not sent again: neither the prompt nor the context file. */
  async function asked(prepared: PreparedRun): Promise<Omit<AgentRun, "signal">> {
    const { preface } = prepared;
    const run = processOf(deps, owner, prepared);
    const held = await deps.runner.transcript(run);
    return {
      ...run,
      ...(held.prompts.has(promptId) ? { prompt: goOn, promptId: deps.newPromptId() } : { prompt: textIn(message), promptId }),
      ...(held.preface === preface ? {} : { preface }),
    };
  }

  return {
    async prepare({ spent, signal }) {
      const withSpent = { ...deps, ledger: { ...ledger, today: () => todayWith(spent) } };
      const prepared = await prepareRun(withSpent, sessionWith(spent), { query: id, signal });
      if (begunWith === null) await deps.onBegin((begunWith = prepared.profile));
      // Only the limits may have changed since.
      const profile = { ...begunWith, limits: prepared.profile.limits };
      return { ...(await asked({ ...prepared, profile })), signal };
    },
    async refresh() {
      current = (await deps.store.get(owner)) ?? current;
    },
    refusal: (spent): HallError | null =>
      refusal({
        session: { ...current, costUsd: current.costUsd + spent.costUsd },
        today: todayWith(spent),
        others: running.excluding(id),
        perSessionUsd: limits.perSessionUsd,
      }),
    reached(spent) {
      if (turnsOf(spent) >= mostTurns()) return "turns";
      return spent.costUsd >= (mostUsd() ?? Infinity) ? "run" : null;
    },
    usedOf(spent) {
      const { costUsd: ofToday, limit } = todayWith(spent);
      return [
        { limit: "turns", used: turnsOf(spent), most: mostTurns() },
        { limit: "run", used: spent.costUsd, most: mostUsd() },
        { limit: "session", used: current.costUsd + spent.costUsd, most: current.limits.maxCostUsd ?? limits.perSessionUsd },
        { limit: "day", used: ofToday, most: limit.perDayUsd },
      ];
    },
    words(limit, spent) {
      if (limit === "turns") return `The answer has taken ${turnsIn(turnsOf(spent))}, and its limit is ${mostTurns()}.`;
      return `The answer has cost ${money(spent.costUsd)}, and its limit is ${money(mostUsd() ?? 0)}.`;
    },
  };
}

const goOn = "You were stopped at a limit, and it is no longer in the way. Go on where you were. Do not repeat work that is done.";
