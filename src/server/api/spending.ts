import type { SpendingLedger } from "../../core/run/spending.ts";
import { DayLimit, SetDayLimit, Spending } from "../../schema/spending.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function spendingRoutes({ ledger }: { ledger: SpendingLedger }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/spending",
      summary: "What was spent today and on the days before, and what may be",
      answer: { status: 200, schema: Spending },
      handle: () => ledger.spending(),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/spending/limit",
      summary: "Set what a day may cost, for today or for good; it beats config.yaml",
      body: SetDayLimit,
      needsPerson: true,
      answer: { status: 200, schema: DayLimit },
      handle: ({ body }) => ledger.setLimit(body),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/spending/limit",
      summary: "Go back to the limit in config.yaml",
      needsPerson: true,
      answer: { status: 200, schema: DayLimit },
      handle: () => ledger.clearLimit(),
    }),
  ];
}
