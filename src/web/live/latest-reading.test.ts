import { describe, expect, it } from "vitest";
import { createLatestReading } from "./latest-reading.ts";

describe("of readings that overtake each other", () => {
  it("the one that was begun last is shown, also where an older one is answered after it", async () => {
    const takeLatest = createLatestReading();
    const [older, newer] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const shown: string[] = [];
    const both = [older, newer].map(({ promise }) => takeLatest(promise, (answer) => shown.push(answer)));

    newer.resolve("sent");
    await both[1];
    older.resolve("waiting");
    await both[0];

    expect(shown).toEqual(["sent"]);
  });

  it("one that is answered in its time is shown, and a failure is told to whoever asked", async () => {
    const takeLatest = createLatestReading();
    const shown: string[] = [];

    await takeLatest(Promise.resolve("first"), (answer) => shown.push(answer));
    const failed = takeLatest(Promise.reject(new Error("No.")), () => shown.push("nothing"));
    await expect(failed).rejects.toThrow("No.");
    await takeLatest(Promise.resolve("third"), (answer) => shown.push(answer));

    expect(shown).toEqual(["first", "third"]);
  });
});
