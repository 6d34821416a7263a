import { printTable } from "../print-table.ts";
import { toldParts } from "./results.ts";
import type { Results } from "./results.ts";

const fence = /(<!-- tables:start -->\n)[\s\S]*?(<!-- tables:end -->)/;

/** The document with the tables of what was measured between its two comments. */
export function placeTables(document: string, results: Results): string {
  if (!fence.test(document)) throw new Error("docs/performance.md has lost the two comments between which its tables stand.");
  return document.replace(fence, (_, start: string, end: string) => `${start}\n${tablesOf(results)}\n${end}`);
}

const tablesOf = (results: Results): string =>
  toldParts(results)
    .map(({ part, title, result: { at, machine, isTrial, rows } }) => {
      const trial = isTrial ? " **A trial with a tenth of the rounds: read nothing into it.**" : "";
      return `### ${title}\n\n\`npm run bench -- ${part}\`, ${at.slice(0, 10)}, ${machine}.${trial}\n\n${printTable(rows)}`;
    })
    .join("\n");
