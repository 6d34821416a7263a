import type { HallError } from "../../schema/hall-error.ts";
import type { Message, Session, SessionFailure } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { QueryUsage } from "../../schema/usage.ts";
import type { AgentEnding, AgentRun, AgentRunner } from "../agent/agent-run.ts";
import type { Insist } from "./insist.ts";
import { preparedRun } from "./prepared-run.ts";
import type { RunDeps } from "./prepared-run.ts";
import { previewOf } from "./preview.ts";
import { endOfQuery, refusal } from "./spending.ts";
import { createMessageFold } from "./message-fold.ts";

export type QueryDeps = RunDeps & {
  runner: AgentRunner;
  insist: Insist;
  /** The model at hand does not tell what it costs. */
  isEstimate: () => boolean;
  now: () => string;
};

/** How a query ended, what it cost, how many messages it added, and a line of what was said last. */
export type QueryOutcome = {
  error: SessionFailure | null;
  costUsd: number;
  /** What it took, where it told that. */
  usage?: QueryUsage | undefined;
  isEstimate: boolean;
  said: number;
  preview: string | null;
};

type Query = QueryDeps & {
  session: Session;
  message: Message;
  signal: AbortSignal;
  /** The hall is ending, so an abort is not the person's wish. */
  isClosing: () => boolean;
  emit: (event: SessionEvent) => void;
};

/** Runs one message through the agent and stores each assistant message as soon as it is complete. */
export async function runQuery(query: Query): Promise<QueryOutcome> {
  const { store, session, message, emit, insist, running } = query;
  const fold = createMessageFold(query.now);
  let costUsd = 0;
  let usage: QueryUsage | undefined;
  let isEstimate = query.isEstimate();
  let said = 0;
  let preview: string | null = null;
  /** Not null where the money ran out: others spend as well while this waits for its turn and runs. */
  let refused = refusalNow();
  if (refused !== null) return { error: failure(refused), costUsd, isEstimate, said, preview };
  const outOfMoney = new AbortController();
  const signal = AbortSignal.any([query.signal, outOfMoney.signal]);
  let ending: AgentEnding = { outcome: "failed", code: "internal", message: "The agent ended without saying how." };

  for await (const event of query.runner.run(await agentRun({ ...query, signal }))) {
    if (event.type === "usage") {
      costUsd = event.costUsd;
      usage = event;
      isEstimate = query.isEstimate() || event.isEstimate === true;
      running.spend(message.id, event);
    }
    // Between two responses, so that no answer is lost which is paid for.
    if (event.type === "tool_result" && refused === null && (refused = refusalNow()) !== null) outOfMoney.abort();
    if (event.type === "ended") ending = event.ending;
    const { events, finished } = fold.take(event);
    await keep(finished);
    for (const each of events) emit(each);
  }
  await keep(fold.finish({ interrupted: ending.outcome === "failed" }));
  const failed = ending.outcome === "parked" ? endedInWait : ending;
  return { error: outOfMoneyOf(failed) ?? failureOf(failed, query.isClosing()), costUsd, usage, isEstimate, said, preview };

  /** The limit that ended it, by name: the model's side knows only that there was one. */
  function outOfMoneyOf(end: FinalEnding): SessionFailure | null {
    if (end.outcome === "completed") return null;
    if (end.code === "stopped" && refused !== null && !query.signal.aborted) return failure(refused);
    if (end.code !== "budget") return null;
    return failure(refusalNow() ?? endOfQuery(costUsd, session.limits.maxBudgetUsd ?? query.limits.maxBudgetUsd));
  }

  function refusalNow(): HallError | null {
    const today = query.ledger.today();
    return refusal({
      session: { ...session, costUsd: session.costUsd + costUsd },
      today: { ...today, costUsd: today.costUsd + costUsd, isEstimate: today.isEstimate || (costUsd > 0 && isEstimate) },
      others: running.besides(message.id),
      perSessionUsd: query.limits.perSessionUsd,
    });
  }

  async function keep(messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      await insist(() => store.appendMessage(session.id, message));
      said += 1;
      preview = previewOf(message) ?? preview;
    }
  }
}

async function agentRun({ session, message, signal, ...deps }: Query): Promise<AgentRun> {
  const prompt = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return { ...(await preparedRun(deps, session, { query: message.id, signal })), prompt, signal };
}

type FinalEnding = Exclude<AgentEnding, { outcome: "parked" }>;

/** A session's tools wait without ending the turn. */
const endedInWait: FinalEnding = {
  outcome: "failed",
  code: "internal",
  message: "The agent ended its turn to wait, which it cannot do in a session. Send the message again.",
};

const failure = ({ code, message }: HallError): SessionFailure => ({ code, message });

function failureOf(ending: FinalEnding, isClosing: boolean): SessionFailure | null {
  if (ending.outcome === "completed") return null;
  const { code, message, resetsAt } = ending;
  if (code === "stopped" && isClosing)
    return { code: "interrupted", message: "The hall was stopped while this was running. What was said so far is kept." };
  return { code, message, ...(resetsAt === undefined ? {} : { resetsAt }) };
}
