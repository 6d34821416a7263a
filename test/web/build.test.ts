import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const script = join(import.meta.dirname, "../../scripts/build-web.ts");

describe("the build of the pages", () => {
  it("is not repeated where nothing changed, not even by two at once", async () => {
    const build = () => promisify(execFile)(process.execPath, [script, "--if-stale"]);

    const outputs = await Promise.all([build(), build()]);

    expect(outputs.map(({ stdout }) => stdout)).toEqual(["", ""]);
  });
});
