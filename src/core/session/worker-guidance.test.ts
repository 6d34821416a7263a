import { expect, it } from "vitest";
import { workerGuidance } from "./worker-guidance.ts";

it("names the workers of the session with their tools, and says how to dispatch, check, relay and present (REQ-WD-39)", () => {
  const guidance = workerGuidance([
    { name: "researcher", server: "researcher-dispatch" },
    { name: "both", server: "both-dispatch-jobs" },
  ]);

  expect(guidance).toContain("researcher: mcp__researcher-dispatch__dispatch, and beside it mcp__researcher-dispatch__list");
  expect(guidance).toContain("mcp__both-dispatch-jobs__result");
  for (const part of ["end your turn", "relay its open questions", "present it"]) expect(guidance).toContain(part);
});

it("is not there where no member takes jobs (REQ-WD-39)", () => {
  expect(workerGuidance([])).toBeNull();
});
