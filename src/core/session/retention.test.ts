import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import { SessionStatus } from "../../schema/session.ts";
import type { Session } from "../../schema/session.ts";
import { sessionWith } from "../../schema/session.testing.ts";
import { deleteOldSessions, reasonToDelete } from "./retention.ts";
import type { Retention, RetentionDeps } from "./retention.ts";

const now = Date.parse("2026-06-01T12:00:00.000Z");
const sessionOfAge = (days: number, more: Partial<Session> = {}) =>
  sessionWith({ ...more, lastActivityAt: new Date(now - days * 86_400_000).toISOString() });
const keepsAll: Retention = { completedSessionDays: null, inactiveSessionDays: null };

describe("retention", () => {
  it.each([
    ["keeps everything by default", sessionOfAge(9999, { status: "completed" }), keepsAll, false],
    [
      "deletes a completed session when its days are over",
      sessionOfAge(30, { status: "completed" }),
      { ...keepsAll, completedSessionDays: 30 },
      true,
    ],
    [
      "keeps a completed session a day longer than asked rather than a moment less",
      sessionOfAge(29.99, { status: "completed" }),
      { ...keepsAll, completedSessionDays: 30 },
      false,
    ],
    ["keeps one that nobody completed", sessionOfAge(99), { ...keepsAll, completedSessionDays: 30 }, false],
    ["deletes one that nobody came back to", sessionOfAge(99), { ...keepsAll, inactiveSessionDays: 90 }, true],
    ["deletes one that expired", sessionOfAge(99, { status: "expired" }), { ...keepsAll, inactiveSessionDays: 90 }, true],
  ])("%s", (_what, session, retention, isDeleted) => {
    expect(reasonToDelete(session, { retention, now, hasQueue: false }) !== null).toBe(isDeleted);
  });

  it("says why", () => {
    const session = sessionOfAge(31, { status: "completed" });

    const reason = reasonToDelete(session, { retention: { ...keepsAll, completedSessionDays: 30 }, now, hasQueue: false });

    expect(reason).toBe("completed, and nothing happened in it for 31 days; retention.completedSessionDays is 30");
  });

  it("never deletes one that runs, waits to, or cannot be read, nor one with activity in that time", () => {
    const days = fc.option(fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...SessionStatus.options),
        fc.nat(500),
        fc.record({ completedSessionDays: days, inactiveSessionDays: days }),
        fc.boolean(),
        (status, age, retention, hasQueue) => {
          const isDeleted = reasonToDelete(sessionOfAge(age, { status }), { retention, now, hasQueue }) !== null;

          const least = Math.min(retention.completedSessionDays ?? Infinity, retention.inactiveSessionDays ?? Infinity);
          expect(isDeleted && (status === "running" || status === "error" || hasQueue || age < least)).toBe(false);
        },
      ),
    );
  });
});

describe("deleting old sessions", () => {
  const retention = { ...keepsAll, inactiveSessionDays: 90 };

  /** Lists some sessions two at a time, of which one may have changed since. */
  function kept(
    listed: readonly Session[],
    { present = {}, queued = [] }: { present?: Record<string, Session>; queued?: SessionId[] } = {},
  ) {
    const deleted: string[] = [];
    const problems: unknown[] = [];
    const deps: RetentionDeps = {
      retention,
      list: async ({ cursor = "0" }) => {
        const next = Number(cursor) + 2;
        return { sessions: listed.slice(Number(cursor), next), nextCursor: next < listed.length ? String(next) : null };
      },
      get: async (id) => {
        const session = present[id] ?? listed.find((each) => each.id === id);
        if (session === undefined) throw new HallError("not_found", `There is no session ${id}.`);
        return session;
      },
      hasQueue: async (id) => queued.includes(id),
      remove: async (id) => {
        if (listed.find((each) => each.id === id)?.name === "stuck") throw new HallError("conflict", "It is running.");
      },
      now: () => now,
      onDeleted: ({ name }) => deleted.push(name),
      onProblem: (error) => problems.push(error),
    };
    return { deps, deleted, problems };
  }

  it("goes through all of them, and over one that cannot be deleted", async () => {
    const names = ["new", "old 1", "stuck", "old 2", "old 3"];
    const { deps, deleted, problems } = kept(names.map((name) => sessionOfAge(name === "new" ? 1 : 100, { name })));

    await deleteOldSessions(deps);

    expect(deleted).toEqual(["old 1", "old 2", "old 3"]);
    expect(problems).toMatchObject([{ code: "conflict" }]);
  });

  it("looks again before it deletes: somebody may have come back, or left a message in the queue", async () => {
    const [woken, queued, old] = ["woken", "queued", "old"].map((name) => sessionOfAge(100, { name }));
    if (woken === undefined || queued === undefined || old === undefined) throw new Error("There are three.");
    const { deps, deleted } = kept([woken, queued, old], { present: { [woken.id]: { ...woken, status: "running" } }, queued: [queued.id] });

    await deleteOldSessions(deps);

    expect(deleted).toEqual(["old"]);
  });

  it("does not even look where everything is kept", async () => {
    const { deps } = kept([]);

    await expect(
      deleteOldSessions({ ...deps, retention: keepsAll, list: async () => Promise.reject(new Error("looked")) }),
    ).resolves.toBeUndefined();
  });
});
