import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionId, newMessageId } from "../../schema/ids.ts";
import type { Session, SessionList } from "../../schema/session.ts";
import { sessionWith } from "../../schema/session.testing.ts";
import { withBeginning, withChanged, withNextPage } from "./session-list.ts";

const session = (letter: string, minute: number): Session =>
  sessionWith({ id: idOf(letter), name: letter, lastActivityAt: `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z` });

const idOf = (letter: string): SessionId => SessionId.parse(`ses_${"0".repeat(25)}${letter}`);

const listOf = (sessions: readonly Session[], nextCursor: string | null = null): SessionList => ({
  sessions: [...sessions],
  nextCursor,
  counts: null,
});

const names = ({ sessions }: SessionList): string => sessions.map(({ name }) => name).join("");

const letters = ["a", "b", "c", "d", "e", "f", "g", "h"];

describe("a list of sessions in pages", () => {
  const list = listOf([session("d", 4), session("c", 3), session("b", 2), session("a", 1)], "older");

  it("is put right at its beginning and keeps what lies behind it", () => {
    const fresh = listOf([session("e", 9), session("a", 8)], "after a");

    const next = withBeginning(list, fresh);

    expect(names(next)).toBe("eadcb");
    expect(next.nextCursor).toBe("older");
  });

  it("loses what its new beginning passes over", () => {
    const fresh = listOf([session("d", 4), session("b", 2)], "after b");

    expect(names(withBeginning(list, fresh))).toBe("dba");
  });

  it("is what was read where that is everything", () => {
    expect(names(withBeginning(list, listOf([session("c", 3)])))).toBe("c");
    expect(withBeginning(list, listOf([]))).toEqual(listOf([]));
  });

  it("has nothing twice when a page brings what moved", () => {
    const next = withNextPage(list, listOf([session("a", 1), session("0", 0)]));

    expect(names(next)).toBe("dcba0");
    expect(next.nextCursor).toBeNull();
  });

  it("keeps what was found on earlier pages", () => {
    const found = (id: string) => ({ [id]: { messageId: newMessageId(), text: id, marks: [] } });

    const next = withNextPage({ ...list, matches: found("one") }, { ...listOf([]), matches: found("two") });

    expect(Object.keys(next.matches ?? {})).toEqual(["one", "two"]);
  });

  it("follows single sessions that changed or went", () => {
    const changed = new Map([
      [idOf("a"), session("a", 9)],
      [idOf("c"), null],
    ]);

    expect(names(withChanged(list, changed))).toBe("adb");
  });

  it("is after any changes what the hall would list, as far as it was read", () => {
    const change = fc.record({ letter: fc.constantFrom(...letters), minute: fc.option(fc.integer({ min: 10, max: 59 })) });
    fc.assert(
      fc.property(fc.array(change), fc.integer({ min: 1, max: 5 }), (changes, limit) => {
        const hall = new Map(letters.map((letter, minute) => [letter, session(letter, minute)]));
        const all = () => [...hall.values()].sort(after);
        let known = listOf(all());

        for (const { letter, minute } of changes) {
          if (minute === null) hall.delete(letter);
          else hall.set(letter, session(letter, minute));
          const page = all().slice(0, limit);
          known = withChanged(known, new Map([[idOf(letter), hall.get(letter) ?? null]]));
          known = withBeginning(known, listOf(page, page.length === hall.size ? null : "more"));
        }

        expect(names(known)).toBe(names(listOf(all())));
      }),
    );
  });
});

const after = (a: Session, b: Session): number =>
  a.lastActivityAt === b.lastActivityAt ? (a.id > b.id ? -1 : 1) : a.lastActivityAt > b.lastActivityAt ? -1 : 1;
