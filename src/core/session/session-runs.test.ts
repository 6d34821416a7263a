import { expect, it } from "vitest";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import { createPauses } from "../run/pauses.ts";
import { createRunningCosts } from "../run/running-costs.ts";
import { createMemoryLedger } from "../run/spending.testing.ts";
import { createWorld } from "../world.testing.ts";
import { createSessionRuns } from "./session-runs.ts";

const unused = () => Promise.reject(new Error("This is not used here."));

it("a run that waits for the money of the day goes on when the one has ended that might have used up the rest", async () => {
  const world = createWorld(1);
  const life = world.live();
  const ledger = createMemoryLedger(life, { costs: new Map(), perDayUsd: 1 });
  const running = createRunningCosts(ledger);
  const pauses = createPauses({ schedule: life.schedule, clock: world.clock, random: () => 0 });
  const [owner, other, id] = [newSessionId(), newMessageId(), newMessageId()];
  const runs = { owners: () => [owner], present: () => id } as unknown as Parameters<typeof createSessionRuns>[0]["runs"];
  const { onMoneyFreed } = createSessionRuns({
    runs,
    pauses,
    ledger,
    running,
    mustGet: unused,
    change: unused,
    addNote: unused,
    now: world.now,
  });
  running.onMoneyFreed(onMoneyFreed);
  running.begin(other, null);
  running.begin(id, null);
  running.spend(other, { costUsd: 0.6, turns: 1 });
  const decided = pauses.wait(id, { kind: "budget", since: world.now(), limit: "day", message: "" }, new AbortController().signal);

  onMoneyFreed();
  expect(pauses.get(id)).not.toBeNull();
  running.end(other);

  expect(await decided).toBe("resume");
});
