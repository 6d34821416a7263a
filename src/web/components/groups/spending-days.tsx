"use client";

import { useState } from "react";
import { money } from "../../../schema/money.ts";
import type { DaySpending } from "../../../schema/spending.ts";
import { counted } from "../../format/figures.ts";
import { Button } from "../elements/button.tsx";

const shownDays = 7;

/** What each day has cost, the newest first. Days on which nothing was asked are left out. */
export function SpendingDays({ days }: { days: readonly DaySpending[] }) {
  const [isWhole, setIsWhole] = useState(false);
  if (days.length === 0) return <p className="text-ink-2">Nothing was spent yet. Each day you ask something is listed here.</p>;
  const most = Math.max(...days.map(({ costUsd }) => costUsd), 0.01);
  return (
    <div>
      <table className="w-full text-left tabular-nums">
        <caption className="pb-1 text-left text-md font-medium">By day</caption>
        <thead className="sr-only">
          <tr>
            <th>Day</th>
            <th>Queries</th>
            <th>Cost</th>
          </tr>
        </thead>
        <tbody>
          {days.slice(0, isWhole ? days.length : shownDays).map(({ day, costUsd, queries, isEstimate }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="py-1.5 font-normal whitespace-nowrap">
                {day}
              </th>
              <td className="w-full px-3 py-1.5 text-xs text-ink-3">
                {counted(queries, "query", "queries")}
                <span aria-hidden className="mt-1 block h-1 rounded-[2px] bg-line-strong" style={{ width: `${(costUsd / most) * 100}%` }} />
              </td>
              <td className="py-1.5 text-right whitespace-nowrap">
                {isEstimate ? "about " : ""}
                {money(costUsd)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {days.length <= shownDays ? null : (
        <Button size="sm" className="mt-2" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show fewer days" : `Show all ${days.length} days`}
        </Button>
      )}
    </div>
  );
}
