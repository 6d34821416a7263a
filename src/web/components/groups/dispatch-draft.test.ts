import { describe, expect, it } from "vitest";
import { HallError } from "../../../schema/hall-error.ts";
import { limitsOf, readDispatch, refusedDispatch } from "./dispatch-draft.ts";

const written = { worker: "researcher", description: "", task: "Compare three queues for us. Then say which.", turns: "", cost: "" };

describe("what is written for a new job", () => {
  it("is asked for as it is, and described as its task begins where nobody says otherwise", () => {
    expect(readDispatch(written)).toEqual({ job: { description: "Compare three queues for us", task: written.task } });
    expect(readDispatch({ ...written, description: " Queues " })).toMatchObject({ job: { description: "Queues" } });
  });

  it("has limits where somebody sets them, and keeps what the job before was given besides", () => {
    const before = { config: { maxTurns: 40, maxBudgetUsd: 1, model: "small" } };

    expect(limitsOf(before)).toEqual({ turns: "40", cost: "1" });
    expect(readDispatch({ ...written, turns: "60", cost: "$2.50" }, before)).toMatchObject({
      job: { config: { model: "small", maxTurns: 60, maxBudgetUsd: 2.5 } },
    });
    expect(readDispatch(written, before)).toMatchObject({ job: { config: { model: "small" } } });
    expect(readDispatch(written, { config: { maxTurns: 40 } })).not.toHaveProperty("job.config");
  });

  it.each([
    [{ worker: "" }, { worker: "Choose who is to do it." }],
    [{ task: "  " }, { task: "Write what the worker is to do." }],
    [{ task: "12" }, { description: "Say in a few words what the job is." }],
    [{ turns: "1.5" }, { turns: "Write a whole number of turns, such as 60, or leave it empty." }],
    [{ cost: "much" }, { cost: "Write an amount in dollars, such as 1 or 2.50, or leave it empty." }],
  ])("says beside the field what is missing: %o", (change, errors) => {
    expect(readDispatch({ ...written, ...change })).toEqual({ errors });
  });

  it("that the hall refuses says why beside the field, or above all of them", () => {
    const issues = [{ path: "config.maxTurns", message: "must be at most 500" }];

    expect(refusedDispatch(new HallError("bad_request", "No.", { details: { issues } }))).toEqual({
      turns: "The limit must be at most 500.",
    });
    expect(refusedDispatch(new HallError("conflict", "It takes no jobs."))).toEqual({ form: "It takes no jobs." });
  });
});
