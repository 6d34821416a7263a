import { describe, expect, it } from "vitest";
import type { RunId } from "../../schema/ids.ts";
import { newMessageId } from "../../schema/ids.ts";
import { createRunningCosts } from "./running-costs.ts";

/** Running costs beside a ledger of which a test says what it knows. */
function stage() {
  const recorded = new Map<RunId, number>();
  return { recorded, costs: createRunningCosts({ costOf: (id) => recorded.get(id) ?? null }) };
}

describe("what runs", () => {
  it("has 50 cents set aside for its first response, and no more than it may cost", () => {
    const { costs } = stage();
    costs.begin(newMessageId(), null);
    costs.begin(newMessageId(), 0.05);

    expect(costs.excluding(null)).toEqual({ costUsd: 0, setAsideUsd: 0.55 });
  });

  it("has as much set aside as its dearest response has cost, when one has come", () => {
    const { costs } = stage();
    const query = newMessageId();
    costs.begin(query, 1);
    costs.spend(query, { costUsd: 0.25, turns: 0 });
    expect(costs.excluding(null)).toEqual({ costUsd: 0.25, setAsideUsd: 0.5 });

    costs.spend(query, { costUsd: 0.375, turns: 1 });
    costs.spend(query, { costUsd: 0.5, turns: 2 });
    expect(costs.excluding(null)).toEqual({ costUsd: 0.5, setAsideUsd: 0.375 });

    costs.spend(query, { costUsd: 0.875, turns: 3 });
    expect(costs.excluding(null).setAsideUsd).toBe(0.125);
  });

  it("is asked about by the others and not by itself, and yields only to those before it", () => {
    const { costs } = stage();
    const [one, other] = [newMessageId(), newMessageId()];
    costs.begin(one, null);
    costs.begin(other, null);
    costs.spend(other, { costUsd: 2, turns: 1 });

    expect(costs.excluding(one)).toEqual({ costUsd: 2, setAsideUsd: 0 });
    expect(costs.excluding(other)).toEqual({ costUsd: 0, setAsideUsd: 0.5 });
    expect(costs.excluding(null)).toEqual({ costUsd: 2, setAsideUsd: 2.5 });
  });

  it("is not counted twice when the ledger has it, and not at all when it has ended", () => {
    const { costs, recorded } = stage();
    const query = newMessageId();
    costs.begin(query, null);
    costs.spend(query, { costUsd: 0.75, turns: 1 });
    recorded.set(query, 0.75);

    expect(costs.excluding(null).costUsd).toBe(0);
    costs.end(query);
    costs.spend(query, { costUsd: 0.75, turns: 1 });
    expect(costs.excluding(null)).toEqual({ costUsd: 0, setAsideUsd: 0 });
  });
});
