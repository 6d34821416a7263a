import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { drawChart } from "../bench/report/chart.ts";
import { documents, readResults } from "../bench/report/documents.ts";
import { placeTables } from "../bench/report/place-tables.ts";

describe("the document about performance", () => {
  it("has the tables and the chart of what was measured; npm run bench -- --draw writes them anew", async () => {
    const results = await readResults();
    const [text, chart] = await Promise.all([documents.text, documents.chart].map((path) => readFile(path, "utf8")));

    expect(Object.keys(results.parts)).not.toEqual([]);
    expect(text).toBe(placeTables(text ?? "", results));
    expect(chart).toBe(drawChart(results));
  });
});
