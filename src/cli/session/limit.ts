import { money } from "../../schema/money.ts";
import type { Session } from "../../schema/session.ts";
import { CreateSession } from "../../schema/session.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { Dollars } from "../dollars.ts";
import { findHall } from "../find-hall.ts";
import { quoted } from "../safe-text.ts";
import { findSession } from "./find-session.ts";
import type { LimitFlags } from "./session-flags.ts";

/** What a session, or one message of it, may cost: shown, or set. */
export async function limitSession(
  wanted: string,
  amount: string | undefined,
  flags: LimitFlags,
  { printer, shell }: CommandContext,
): Promise<void> {
  const key = flags.perMessage === true ? "maxBudgetUsd" : "maxCostUsd";
  const usd =
    amount === undefined || amount === "none"
      ? null
      : checked(Dollars.pipe(CreateSession.shape.limits.unwrap().shape[key].unwrap()), amount, "The limit");
  const { client } = await findHall(flags.home, shell);
  const session = await findSession(client.sessions, wanted);
  if (amount === undefined) {
    const { perSessionUsd } = await client.spending.get();
    return printer.result({ costUsd: session.costUsd, limits: session.limits, perSessionUsd }, report(session, perSessionUsd));
  }
  const changed = await client.sessions.change(session.id, { limits: { [key]: usd } });
  const what = flags.perMessage === true ? `One message of ${quoted(changed.name)}` : quoted(changed.name);
  printer.result(changed, usd === null ? `${what} has no limit of its own any more.` : `${what} may cost up to ${money(usd)} now.`);
}

function report({ name, costUsd, limits: { maxCostUsd, maxBudgetUsd } }: Session, perSessionUsd: number | null): string {
  const limit = maxCostUsd ?? perSessionUsd;
  const whose = maxCostUsd === undefined ? ", as config.yaml says for all sessions" : "";
  const ofSession = limit === null ? "has no limit" : `may cost up to ${money(limit)}${whose}`;
  const ofMessage = maxBudgetUsd === undefined ? "" : `\nOne message of it may cost up to ${money(maxBudgetUsd)}.`;
  return `${quoted(name)} has cost ${money(costUsd)} and ${ofSession}.${ofMessage}`;
}
