import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { handlerOutcome } from "./handler-outcome.ts";
import { settleJob } from "./settle-job.ts";
import type { OpenRecord } from "./settle-job.ts";

const anyRecord: fc.Arbitrary<OpenRecord> = fc.record({ attempt: fc.integer({ min: 0, max: 5 }), cancelRequested: fc.boolean() });
const anyAttempts = fc.integer({ min: 1, max: 5 });

describe("settling a job found in the records", () => {
  it("never takes a job more often than it may be taken, and never one that was cancelled", () => {
    fc.assert(
      fc.property(anyRecord, anyAttempts, (record, attempts) => {
        const waits = settleJob(record, attempts).next === "wait";

        expect(waits).toBe(record.attempt < attempts && !record.cancelRequested);
      }),
    );
  });

  it("loses no job: one that was neither taken nor cancelled waits", () => {
    expect(settleJob({ attempt: 0, cancelRequested: false }, 1)).toEqual({ next: "wait" });
  });

  it("ends a job whose process died on its last attempt as interrupted", () => {
    expect(settleJob({ attempt: 2, cancelRequested: false }, 2)).toMatchObject({
      next: "end",
      state: "failed",
      failure: { code: "interrupted" },
    });
  });
});

describe("the outcome of a handler", () => {
  const returned = { thrown: undefined, cancelRequested: false, stopping: false, attempt: 1, attempts: 1 };

  it("is completed if it returned, even while the consumer was stopping", () => {
    expect(handlerOutcome(returned)).toMatchObject({ state: "completed" });
    expect(handlerOutcome({ ...returned, stopping: true, attempts: 3 })).toMatchObject({ state: "completed" });
  });

  it("is cancelled if that was asked for, however the handler ended", () => {
    expect(handlerOutcome({ ...returned, cancelRequested: true })).toMatchObject({ state: "cancelled", failure: null });
    expect(handlerOutcome({ ...returned, cancelRequested: true, thrown: { error: new Error("x") } })).toMatchObject({ state: "cancelled" });
  });

  it("is failed with the code and the message of what it threw", () => {
    const refused = { error: new HallError("disk_full", "No space.") };

    expect(handlerOutcome({ ...returned, thrown: refused })).toMatchObject({ failure: { code: "disk_full", message: "No space." } });
    expect(handlerOutcome({ ...returned, thrown: { error: new Error("boom") } })).toMatchObject({
      failure: { code: "internal", message: "boom" },
    });
    expect(handlerOutcome({ ...returned, thrown: { error: "boom" } })).toMatchObject({ failure: { code: "internal", message: "boom" } });
  });

  it("is the next attempt or interrupted if it gave up because the consumer was stopping", () => {
    const gaveUp = { ...returned, stopping: true, thrown: { error: new Error("aborted") } };

    expect(handlerOutcome({ ...gaveUp, attempts: 2 })).toEqual({ next: "wait" });
    expect(handlerOutcome(gaveUp)).toMatchObject({ state: "failed", failure: { code: "interrupted" } });
  });
});
