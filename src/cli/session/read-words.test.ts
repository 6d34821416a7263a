import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readNamedFile, readWords } from "./read-words.ts";

const piped = () => Readable.from(["from ", "stdin"]);

describe("what to send", () => {
  it.each([
    ["hello", "hello"],
    ["-", "from stdin"],
    [undefined, "from stdin"],
  ])("is for %j: %s", async (typed, text) => {
    expect(await readWords(typed, piped())).toBe(text);
  });

  it("has to be said where nothing is piped in", async () => {
    const terminal = Object.assign(piped(), { isTTY: true });

    await expect(readWords(undefined, terminal)).rejects.toMatchObject({ code: "bad_request" });
    expect(await readWords("-", Object.assign(piped(), { isTTY: true }))).toBe("from stdin");
  });
});

describe("a file that a person named", () => {
  it("is read, or stdin for a dash", async () => {
    const file = join(await temporaryFolder(), "a.md");
    await writeFile(file, "from a file");

    expect(await readNamedFile(file)).toBe("from a file");
    expect(await readNamedFile("-", piped())).toBe("from stdin");
    await expect(readNamedFile(`${file}.gone`)).rejects.toMatchObject({ code: "bad_request" });
  });
});
