import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArtifactPath } from "../../schema/artifact.ts";
import { artifactNameOf, withAttached } from "./artifact-name.ts";

describe("the name of a file that is attached", () => {
  it.each([
    ["report.csv", "report.csv"],
    ["Zürich plan.txt", "Zürich plan.txt"],
    ["..", "file"],
    ["", "file"],
    ["a/b\\c.txt", "a-b-c.txt"],
    ["evil\u202etxt.exe", "evil-txt.exe"],
    [`${"ü".repeat(300)}.pdf`, `${"ü".repeat(100)}.pdf`],
  ])("%j is taken as %j", (name, taken) => {
    expect(artifactNameOf(name)).toBe(taken);
  });

  it("is always one that a session takes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (name) => {
        expect(ArtifactPath.safeParse(artifactNameOf(name)).success).toBe(true);
      }),
    );
  });
});

describe("a message with a file", () => {
  it("says where it is, after what was written", () => {
    expect(withAttached("Look at this. ", "artifacts/a b.csv")).toBe("Look at this.\nAttached file: `artifacts/a b.csv`\n");
    expect(withAttached("", "artifacts/a`b.csv")).toBe('Attached file: "artifacts/a`b.csv"\n');
  });
});
