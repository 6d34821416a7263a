import { describe, expect, it, vi } from "vitest";
import type { Member } from "../../schema/roster.ts";
import { memberWith } from "../../schema/roster.testing.ts";
import { createRosterReader } from "./roster-reader.ts";

describe("what is read of the Roster", () => {
  it("is the member that changed, once for many changes that come together", async () => {
    const { reader, asked, told } = setUp(["git", "files"]);

    reader.changed("git");
    reader.changed("git");
    await vi.waitFor(() => expect(told).toEqual(["git"]));

    expect(asked).toEqual(["git"]);
  });

  it("is everything where a member is not known, or two claim its name", async () => {
    const { reader, asked, told } = setUp(["git", "twice", "twice"]);

    reader.changed("new");
    await vi.waitFor(() => expect(told).toEqual(["all"]));
    reader.changed("twice");
    await vi.waitFor(() => expect(told).toEqual(["all", "all"]));

    expect(asked).toEqual(["all", "all"]);
  });

  it("is everything where many changed at once", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const { reader, asked, told } = setUp(names);

    names.forEach(reader.changed);
    await vi.waitFor(() => expect(told).toEqual(["all"]));

    expect(asked).toEqual(["all"]);
  });

  it("is read again for what changed while it was being read", async () => {
    const { reader, asked, told, hold } = setUp(["git"]);
    const release = hold();

    reader.changed("git");
    await vi.waitFor(() => expect(asked).toEqual(["git"]));
    reader.changed("git");
    release();
    await vi.waitFor(() => expect(told).toEqual(["git", "git"]));

    expect(asked).toEqual(["git", "git"]);
  });

  it("is read at the next change after a reading failed", async () => {
    const { reader, asked, told, fail } = setUp(["git"]);
    fail();

    reader.readAll();
    await vi.waitFor(() => expect(asked).toEqual(["all"]));
    reader.readAll();
    await vi.waitFor(() => expect(told).toEqual(["all"]));

    expect(asked).toEqual(["all", "all"]);
  });
});

function setUp(names: readonly string[]) {
  const asked: string[] = [];
  const told: string[] = [];
  let held: Promise<void> = Promise.resolve();
  let isFailing = false;
  const answer = async <Answer>(what: string, value: Answer): Promise<Answer> => {
    asked.push(what);
    await held;
    if (isFailing) {
      isFailing = false;
      throw new Error("away");
    }
    return value;
  };
  const reader = createRosterReader({
    client: {
      list: () => answer("all", { members: [] }),
      get: (name) => answer<Member>(name, memberWith({ name })),
    },
    knownNames: () => names,
    onAll: () => told.push("all"),
    onOne: ({ name }) => told.push(name),
  });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  return { reader, asked, told, hold, fail: () => (isFailing = true) };
}
