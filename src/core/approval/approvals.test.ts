import { describe, expect, it, vi } from "vitest";
import type { Approval } from "../../schema/approval.ts";
import { newJobRunId } from "../../schema/ids.ts";
import type { JobRunId } from "../../schema/ids.ts";
import { createApprovals } from "./approvals.ts";

function setStage() {
  const kept = new Map<string, Approval>();
  const onDecided = vi.fn<(run: JobRunId) => void>();
  const closed = new Set<JobRunId>();
  const approvals = createApprovals({
    store: { list: () => [...kept.values()], save: async (approval) => void kept.set(approval.id, approval) },
    checkEdited: (_approval, edited) => {
      if (edited["path"] === "bad") throw new Error("That path is bad.");
    },
    onDecided,
    isOpen: (id) => id !== ended && !closed.has(id),
    now: () => "2026-01-01",
  });
  const [run, ended] = [newJobRunId(), newJobRunId()];
  const ask = (callId: string, input: Record<string, unknown> = { path: "a", content: "b" }) =>
    approvals.open({ run, root: run, worker: "clerk", chain: [], callId, rule: "sandbox.write", tool: "write_file", input });
  return { approvals, kept, onDecided, run, ask, end: () => closed.add(run) };
}

describe("an approval", () => {
  it("is asked once for one call, and its hash says nothing of the order of keys (DEL-49)", async () => {
    const { ask } = setStage();

    const [first, again, other] = [await ask("t1"), await ask("t1"), await ask("t2", { content: "b", path: "a" })];

    expect(again.id).toBe(first.id);
    expect(other.id).not.toBe(first.id);
    expect(other.inputHash).toBe(first.inputHash);
  });

  it("is good for the arguments that were shown, decided once, and told to the one who waits (SEC-13)", async () => {
    const { approvals, ask, onDecided, run } = setStage();
    const { id, inputHash } = await ask("t1");
    const decided = approvals.decided(id);

    await expect(approvals.approve(id, { inputHash: "another" })).rejects.toMatchObject({ code: "conflict" });
    await expect(approvals.approve(id, { inputHash, edited: { path: "bad" } })).rejects.toThrow("That path is bad.");
    const [first, second] = await Promise.allSettled([approvals.approve(id, { inputHash }), approvals.reject(id, "No.")]);

    expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
    expect((await decided).state).toBe("approved");
    expect(onDecided.mock.calls).toEqual([[run]]);
  });

  it("is no longer a question when its run has ended", async () => {
    const { approvals, ask, run } = setStage();
    const { id, inputHash } = await ask("t1");

    await approvals.voidOf(run);

    expect(approvals.get(id).state).toBe("void");
    await expect(approvals.approve(id, { inputHash })).rejects.toMatchObject({ code: "conflict" });
  });

  it("is no question if its run ended while it was asked", async () => {
    const { approvals, ask, run, end } = setStage();
    const asked = ask("t1");

    end();
    await approvals.voidOf(run);
    const { id, inputHash } = await asked;

    expect(approvals.list("pending")).toEqual([]);
    expect(await approvals.decided(id)).toMatchObject({ state: "void" });
    await expect(approvals.approve(id, { inputHash })).rejects.toThrow("has ended");
  });
});
