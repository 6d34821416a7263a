import { createHallClient } from "../../client/hall-client.ts";
import type { Session } from "../../schema/session.ts";
import type { SetDayLimit } from "../../schema/spending.ts";
import { money } from "../../schema/money.ts";

/** Sets what a day may cost. Answers what is so now, in a sentence. */
export async function setDayLimit({ perDayUsd, until }: SetDayLimit): Promise<string> {
  await createHallClient({ baseUrl: "" }).spending.setLimit({ perDayUsd, until });
  if (perDayUsd === null) return "Today has no limit now.";
  return `${until === "today" ? "Today" : "A day"} may cost up to ${money(perDayUsd)} now.`;
}

/** Goes back to what config.yaml says. */
export async function clearDayLimit(): Promise<string> {
  await createHallClient({ baseUrl: "" }).spending.clearLimit();
  return "The limit of config.yaml counts again.";
}

export async function setSessionLimit({ id, name, limits }: Session, maxCostUsd: number): Promise<string> {
  await createHallClient({ baseUrl: "" }).sessions.change(id, { limits: { ...limits, maxCostUsd } });
  return `${name} may cost up to ${money(maxCostUsd)} now.`;
}
