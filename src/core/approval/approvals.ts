import type { Approval, ApproveCall } from "../../schema/approval.ts";
import { HallError } from "../../schema/hall-error.ts";
import { newApprovalId } from "../../schema/ids.ts";
import type { ApprovalId, JobRunId } from "../../schema/ids.ts";
import { createTurns } from "../in-turn.ts";
import type { ApprovalStore } from "./approval-store.ts";

type ApprovalsDeps = {
  store: ApprovalStore;
  /** Throws if the arguments that a person wrote do not fit the tool. */
  checkEdited(approval: Approval, edited: Record<string, unknown>): void;
  onDecided(run: JobRunId): void;
  /** Whether the run can still use a decision. */
  isOpen(run: JobRunId): boolean;
  now: () => string;
  /** SHA-256 if left out, which another thread computes. */
  hash?: (text: string) => Promise<string>;
};

export type Question = Pick<Approval, "run" | "root" | "worker" | "chain" | "callId" | "rule" | "tool" | "input">;

export type Approvals = ReturnType<typeof createApprovals>;

/** Questions to a person that calls of tools wait for: durable before anybody is asked, decided once. */
export function createApprovals({ store, checkEdited, onDecided, isOpen, now, hash = sha256 }: ApprovalsDeps) {
  const decisions = new Map<ApprovalId, PromiseWithResolvers<Approval>>();
  const inTurn = createTurns<string>();

  /** A run may end while it asks, or when the disk is full: its question is void from then on, whatever the record says. */
  const present = (approval: Approval): Approval =>
    approval.state === "pending" && !isOpen(approval.run) ? { ...approval, state: "void" } : approval;
  const all = (): Approval[] => store.list().map(present);

  const find = (id: ApprovalId): Approval => {
    const approval = all().find((each) => each.id === id);
    if (approval === undefined) throw new HallError("not_found", `There is no approval ${id}.`);
    return approval;
  };

  async function decide(id: ApprovalId, inputHash: string | null, decided: (approval: Approval) => Approval): Promise<Approval> {
    const approval = await inTurn(id, async () => {
      const known = find(id);
      if (known.state === "void") throw new HallError("conflict", `The run that asked for approval ${id} has ended.`);
      if (known.state !== "pending") throw new HallError("conflict", `Approval ${id} is ${known.state} already.`);
      if (inputHash !== null && inputHash !== known.inputHash) {
        throw new HallError("conflict", `Approval ${id} is for other arguments than the ones you were shown. Look at it again.`);
      }
      const next = decided(known);
      await store.save(next);
      return next;
    });
    decisions.get(id)?.resolve(approval);
    decisions.delete(id);
    onDecided(approval.run);
    return approval;
  }

  return {
    list: (state?: Approval["state"]): Approval[] => all().filter((each) => state === undefined || each.state === state),
    get: find,
    of: (run: JobRunId): Approval[] => all().filter((each) => each.run === run),

    /** The question of this call, which is asked once. */
    open: (question: Question): Promise<Approval> =>
      inTurn(question.run, async () => {
        const known = store.list().find(({ run, callId }) => run === question.run && callId === question.callId);
        if (known !== undefined) return known;
        const approval: Approval = {
          ...question,
          id: newApprovalId(),
          state: "pending",
          inputHash: await hash(canonical(question.input)),
          createdAt: now(),
          decision: null,
          isUnknown: false,
        };
        await store.save(approval);
        return approval;
      }),

    /** Resolves with the decision, however long a person takes. */
    decided(id: ApprovalId): Promise<Approval> {
      const approval = find(id);
      if (approval.state !== "pending") return Promise.resolve(approval);
      const known = decisions.get(id) ?? Promise.withResolvers<Approval>();
      decisions.set(id, known);
      return known.promise;
    },

    approve: (id: ApprovalId, { inputHash, edited = null }: { inputHash: string; edited?: ApproveCall["edited"] | null }) =>
      decide(id, inputHash, (approval) => {
        if (edited !== null) checkEdited(approval, edited);
        return { ...approval, state: "approved", decision: { at: now(), edited, note: null } };
      }),
    reject: (id: ApprovalId, note: string) =>
      decide(id, null, (approval) => ({ ...approval, state: "rejected", decision: { at: now(), edited: null, note } })),

    /** The call was cut between its effect and the record of it. It is not repeated, and the person sees that. */
    markUnknown: (id: ApprovalId) => inTurn(id, () => store.save({ ...find(id), isUnknown: true })),

    /** After a crash: questions of runs that have ended, or are gone, are none any more. */
    async settle(): Promise<void> {
      for (const { id, run, state } of store.list()) if (state === "pending" && !isOpen(run)) await store.save(find(id));
    },

    /** The run has ended, and what it asked is no longer a question. */
    async voidOf(run: JobRunId): Promise<void> {
      for (const { id } of store.list().filter((each) => each.run === run && each.state === "pending")) {
        await inTurn(id, async () => {
          const approval = find(id);
          if (approval.state === "pending" || approval.state === "void") await store.save({ ...approval, state: "void" });
        });
      }
    },
  };
}

async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** JSON in which the order of keys says nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(",")}}`;
}
