import { describe, expect, it } from "vitest";
import { sessionWith } from "../../../schema/session.testing.ts";
import { sessionStatus } from "./session-status.ts";

const since = "2026-01-01T12:00:00.000Z";

describe("the status of a session", () => {
  it("names what its run waits for, and never shows a run that stands still as running", () => {
    const waiting = sessionWith({ status: "running", waitingFor: { kind: "slot", since } });

    expect(sessionStatus(waiting)).toMatchObject({ status: "queued", word: "Waiting for a slot" });
    expect(sessionStatus({ ...waiting, waitingFor: null })).toEqual({ status: "running", word: "Running" });
  });

  it("asks for the person at a limit of its own, and not at the model's", () => {
    const session = sessionWith({ status: "running" });

    expect(sessionStatus({ ...session, waitingFor: { kind: "budget", since, limit: "run", message: "" } }).status).toBe("waiting");
    expect(sessionStatus({ ...session, waitingFor: { kind: "limit", since, until: since } }).status).toBe("expired");
  });
});
