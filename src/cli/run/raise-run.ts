import { z } from "zod";
import type { HallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import { money } from "../../schema/money.ts";
import { RaiseLimit } from "../../schema/run.ts";
import type { LimitKind, RunDetail } from "../../schema/run.ts";
import { checked } from "../checked.ts";
import { Dollars } from "../dollars.ts";

type Raised = { run: RunDetail; /** What it may use now. */ sentence: string };

/** Raises the limit that a run waits at. Returns the run after that. The hall refuses a limit that is too low. */
export async function raiseRun({ runs }: Pick<HallClient, "runs">, id: string, typed: string): Promise<Raised> {
  const { waitingFor } = await runs.get(id);
  if (waitingFor?.kind !== "budget") throw new HallError("conflict", "The run does not wait at a limit of money or turns.");
  const { limit } = waitingFor;
  const to = checked((limit === "turns" ? Turns : Dollars).pipe(RaiseLimit.shape.to), typed, "The new limit");
  return { run: await runs.raise(id, to), sentence: sentences[limit](amountOf(limit, to)) };
}

const Turns = z.string().trim().regex(/^\d+$/, "must be a whole number of turns, such as 50").transform(Number);

const amountOf = (limit: LimitKind, amount: number): string =>
  limit === "turns" ? `${amount} ${amount === 1 ? "turn" : "turns"}` : money(amount);

const sentences: Record<LimitKind, (amount: string) => string> = {
  turns: (amount) => `It may take up to ${amount} now.`,
  run: (amount) => `It may cost up to ${amount} now.`,
  session: (amount) => `The session may cost up to ${amount} now.`,
  day: (amount) => `Today may cost up to ${amount} now.`,
};
