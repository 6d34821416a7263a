import { describe, expect, it } from "vitest";
import { paletteItems } from "./palette-items.ts";
import { sessionWith } from "../../../schema/session.testing.ts";

const labels = (query: string): string[] =>
  paletteItems(query, [session("Cursor migration plan")]).flatMap(({ items }) => items.map(({ label }) => label));

describe("the palette", () => {
  it("shows what was worked on last before anything is typed", () => {
    expect(labels("")[0]).toBe("Cursor migration plan");
  });

  it("keeps what contains the text, whatever its case", () => {
    expect(labels("CURSOR")).toEqual(["Cursor migration plan", "New session named “CURSOR”"]);
  });

  it("offers to start what it cannot find", () => {
    expect(labels("nowhere to be found")).toEqual(["New session named “nowhere to be found”"]);
  });

  it("leaves only commands after a >", () => {
    expect(labels(">")).toEqual(["New session", "Add member", "Switch between light and dark", "Show all keys"]);
  });
});

const session = (name: string) => sessionWith({ name });
