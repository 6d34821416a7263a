import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readNamedFile, readWords } from "./read-words.ts";

const piped = () => ({ stdin: Readable.from(["from ", "stdin"]), cwd: () => tmpdir() });
const typedIn = () => ({ stdin: Object.assign(piped().stdin, { isTTY: true }) });

describe("what to send", () => {
  it.each([
    ["hello", "hello"],
    ["-", "from stdin"],
    [undefined, "from stdin"],
  ])("is for %j: %s", async (typed, text) => {
    expect(await readWords(typed, piped())).toBe(text);
  });

  it("has to be said where nothing is piped in", async () => {
    await expect(readWords(undefined, typedIn())).rejects.toMatchObject({ code: "bad_request" });
    expect(await readWords("-", typedIn())).toBe("from stdin");
  });
});

describe("a file that a person named", () => {
  it("is read, or stdin for a dash", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.md");
    await writeFile(file, "from a file");

    expect(await readNamedFile(file, piped())).toBe("from a file");
    expect(await readNamedFile("a.md", { ...piped(), cwd: () => folder })).toBe("from a file");
    expect(await readNamedFile("-", piped())).toBe("from stdin");
    await expect(readNamedFile(`${file}.gone`, piped())).rejects.toMatchObject({ code: "bad_request" });
  });
});
