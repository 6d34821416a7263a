import { describe, expect, it, onTestFinished } from "vitest";
import { startHousekeeping } from "./housekeeping.ts";

function keep(tasks: Record<string, () => Promise<number | void>>, everyMs?: number) {
  const lines: unknown[] = [];
  const log = { info: (line: unknown) => lines.push(line), warn: (line: unknown) => lines.push(line) };
  const housekeeping = startHousekeeping({ tasks, log, ...(everyMs === undefined ? {} : { everyMs }) });
  onTestFinished(housekeeping.close);
  return { housekeeping, lines };
}

describe("housekeeping", () => {
  it("is done once after the start, and says what it removed", async () => {
    const { housekeeping, lines } = keep({ one: async () => 3, two: async () => 0, three: async () => undefined });

    await housekeeping.run();

    expect(lines).toEqual([{ task: "one", removed: 3 }]);
  });

  it("goes on after a task that fails", async () => {
    const { housekeeping, lines } = keep({ one: async () => Promise.reject(new Error("no")), two: async () => 1 });

    await housekeeping.run();

    expect(lines).toMatchObject([{ task: "one", err: { message: "no" } }, { task: "two" }]);
  });

  it("is done again and again", async () => {
    let rounds = 0;
    keep({ count: async () => void (rounds += 1) }, 1);

    await expect.poll(() => rounds).toBeGreaterThan(2);
  });

  it("ends with the task it is at when the hall closes", async () => {
    const going = Promise.withResolvers<void>();
    const done: string[] = [];
    const { housekeeping } = keep({
      first: () => going.promise.then(() => void done.push("first")),
      second: async () => void done.push("second"),
    });

    const closed = housekeeping.close();
    going.resolve();
    await closed;

    expect(done).toEqual(["first"]);
  });
});
