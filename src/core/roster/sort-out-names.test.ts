import { describe, expect, it } from "vitest";
import { member } from "./roster-stage.testing.ts";
import { sortOutNames } from "./sort-out-names.ts";

const twice = [member("scribe", { folder: "team/scribe" }), member("scribe", { folder: "scribe" })];
const foldersWithProblems = (placed: ReturnType<typeof sortOutNames>) =>
  placed.map(({ found, problem }) => [found.folder, problem !== null]);

describe("two folders that claim one name", () => {
  it("leave it to the first by folder, in whatever order they are found", () => {
    for (const found of [twice, twice.toReversed()]) {
      expect(foldersWithProblems(sortOutNames(found, new Map()))).toEqual([
        ["scribe", false],
        ["team/scribe", true],
      ]);
    }
  });

  it("leave it to the one that has it already", () => {
    const placed = sortOutNames(twice, new Map([["scribe", "team/scribe"]]));

    expect(foldersWithProblems(placed)).toEqual([
      ["scribe", true],
      ["team/scribe", false],
    ]);
    expect(placed[0]?.problem).toContain("guild-members/team/scribe");
  });

  it("do not compete with one that cannot be read", () => {
    const { manifest: _manifest, problem: _problem, ...place } = member("scribe");

    const placed = sortOutNames(
      [{ ...place, manifest: null, name: "scribe", problem: "Broken." }, member("scribe", { folder: "team/scribe" })],
      new Map(),
    );

    expect(foldersWithProblems(placed)).toEqual([
      ["scribe", true],
      ["team/scribe", false],
    ]);
  });
});
