import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { drawChart } from "../bench/report/chart.ts";
import { documents, readResults } from "../bench/report/documents.ts";
import { parts } from "../bench/parts.ts";
import { placeTables } from "../bench/report/place-tables.ts";

describe("the document about performance", () => {
  it("has the tables and the chart of what was measured; npm run bench -- --draw writes them anew", async () => {
    const results = await readResults();
    const [text, chart] = await Promise.all([documents.text, documents.chart].map((path) => readFile(path, "utf8")));

    expect(text).toBe(placeTables(text ?? "", results));
    expect(chart).toBe(drawChart(results));
  });

  it("has every part, measured in full, and no budget that is passed", async () => {
    const { parts: measured } = await readResults();

    expect(Object.keys(measured).toSorted()).toEqual(Object.keys(parts).toSorted());
    const troubles = Object.entries(measured).flatMap(([part, { isTrial, rows }]) => [
      ...(isTrial ? [`${part} is a trial`] : []),
      ...rows.filter(({ holds }) => !holds).map(({ name }) => `${part}: ${name}`),
    ]);
    expect(troubles).toEqual([]);
  });
});
