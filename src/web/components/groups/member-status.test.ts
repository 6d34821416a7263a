import { describe, expect, it } from "vitest";
import { memberWith } from "../../../schema/roster.testing.ts";
import type { ConnectionStep, Member } from "../../../schema/roster.ts";
import { glanceAt } from "../../live/member-glance.ts";
import { canRestart, connectedOf, isReachable, memberStatus } from "./member-status.ts";

const step = (state: ConnectionStep["state"]): ConnectionStep => ({ name: "spawned", state, detail: null, durationMs: null });
const word = (more: Partial<Member>): string => memberStatus(memberWith(more)).word;

describe("a member's state", () => {
  it("says that it is starting while it is, or while it waits its turn", () => {
    expect(word({ status: "disconnected", steps: [step("doing")] })).toBe("Starting");
    expect(word({ status: "disconnected" })).toBe("Starting");
    expect(word({ status: "disconnected", steps: [step("done")] })).toBe("Disconnected");
    expect(word({ status: "error", steps: [step("failed")] })).toBe("Error");
  });

  it("offers a restart where there is something to start", () => {
    expect(canRestart(memberWith({ status: "error", steps: [step("failed")] }))).toBe(true);
    expect(canRestart(memberWith({ status: "error", transport: null }))).toBe(false);
  });

  it("is counted", () => {
    expect(connectedOf([memberWith(), memberWith({ status: "error" })])).toBe("1 of 2 connected");
  });
});

describe("the page of a member", () => {
  it("belongs, of two that claim a name, to the one that can be started", () => {
    const second = glanceAt(memberWith({ name: "git", folder: "a/git", status: "error" }));
    const first = glanceAt(memberWith({ name: "git", folder: "git" }));

    expect([second, first].map((member) => isReachable(member, [second, first]))).toEqual([false, true]);
  });

  it("is not there for a folder whose name is no name of a member", () => {
    const odd = glanceAt(memberWith({ name: "My Member" }));

    expect(isReachable(odd, [odd])).toBe(false);
  });
});
