import { describe, expect, it } from "vitest";
import { HallError } from "../../../schema/hall-error.ts";
import { readNewSession, refusedNewSession } from "./new-session-draft.ts";

const written = { name: " Rollout ", context: "", members: ["git"], model: "", limit: "" };

describe("a new session as somebody writes it", () => {
  it("asks only for what was written", () => {
    expect(readNewSession(written)).toEqual({ request: { name: "Rollout", members: ["git"] } });
    expect(readNewSession({ ...written, context: "# Goal\n", model: "sonnet ", limit: "$2,50" })).toEqual({
      request: { name: "Rollout", members: ["git"], context: "# Goal\n", model: "sonnet", limits: { maxCostUsd: 2.5 } },
    });
  });

  it("says beside each field what is wrong there", () => {
    expect(readNewSession({ ...written, limit: "much" })).toEqual({
      errors: { limit: "Write an amount in dollars, such as 5 or 2.50, or leave it empty." },
    });
  });

  it("has the hall's own name until something is said, where somebody gave it none", () => {
    expect(readNewSession({ ...written, name: " " })).toEqual({ request: { name: "New session", members: ["git"] } });
  });

  it("has what the hall refuses told at the field it is about", () => {
    const details = { issues: [{ path: "context", message: "must have at most 10 characters" }] };

    expect(refusedNewSession(new HallError("bad_request", "Not right.", { details }))).toEqual({
      context: "The context must have at most 10 characters.",
    });
    expect(refusedNewSession(new HallError("disk_full", "The disk is full."))).toEqual({ form: "The disk is full." });
  });
});
