import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Manifest } from "../../../schema/manifest.ts";
import { parseManifest } from "./manifest-file.ts";
import { manifestText } from "./member-home.testing.ts";

const path = "guild-members/example/guild-member.json";

describe("a manifest in a file", () => {
  it("is read as it was written, with or without a byte-order mark", () => {
    const text = manifestText("example", { capabilities: ["worker"] });

    const { manifest, problem } = parseManifest(`\uFEFF${text}`, path);

    expect(problem).toBeNull();
    expect(manifest).toEqual(Manifest.parse(JSON.parse(text)));
  });

  it("tells all that is wrong at once, from top to bottom", () => {
    const text = manifestText("example", { version: 1, mcp: { command: "", argv: [] }, displayname: "x" });

    const { problem } = parseManifest(text, path);

    expect(problem?.split("\n")).toEqual([
      `${path} has 4 mistakes:`,
      'line 5: "version" must be a version, such as 0.1.0, not 1',
      'line 8: "mcp.command" must be the program to start, not ""',
      'line 9: unknown key "argv"; did you mean "args"?',
      'line 11: unknown key "displayname"; did you mean "displayName"?',
    ]);
  });

  it("says which keys are missing", () => {
    const text = manifestText("example").replace(/ {2}"version".*\n/, "");

    expect(parseManifest(text, path).problem).toBe(`${path} line 1: "version" is missing; it must be a version, such as 0.1.0`);
  });

  it("with one key twice is refused: a reader would see the other one", () => {
    const text = manifestText("example").replace('"mcp"', '"version": "0.2.0",\n  "mcp"');

    expect(parseManifest(text, path).problem).toBe(`${path} line 7: the key "version" is there twice; keep one of them`);
  });

  it("with thousands of mistakes names the first", () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, at])));

    const lines = parseManifest(text, path).problem?.split("\n");

    expect(lines).toHaveLength(22);
    expect(lines?.at(-1)).toBe("… and 4986 more.");
  });

  it("never has the values of its variables told (SEC-9)", () => {
    const secret = "sk-not-to-be-told";
    const mistakes = [
      { env: { KEY: `${secret}\0` } },
      { env: { "A-B": secret } },
      { env: [secret] },
      { env: { KEY: { nested: secret } } },
      { command: 5, env: { KEY: secret } },
    ].map((mcp) => manifestText("example", { mcp: { command: "node", ...mcp } }));
    const torn = manifestText("example", { mcp: { env: { KEY: secret } } });
    const cuts = Array.from({ length: torn.length }, (_, at) => torn.slice(0, at));
    const slips = Array.from({ length: torn.length }, (_, at) => `${torn.slice(0, at)}}${torn.slice(at)}`);

    const told = [...mistakes, ...cuts, ...slips].map((text) => parseManifest(text, path).problem ?? "");

    expect(told.slice(0, mistakes.length).every((problem) => problem.includes("line "))).toBe(true);
    expect(told.filter((problem) => problem.includes("not-to-be"))).toEqual([]);
  });

  it("of any content is either read or refused in words (REQ-GH1-26)", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.json().map(hidden)), (text) => {
        const { problem } = parseManifest(text, path);

        expect(problem).toContain(path);
      }),
    );
  });

  it("is told to be wrong for any one value that is", () => {
    const good = JSON.parse(manifestText("example")) as object;
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(good)), fc.jsonValue({ maxDepth: 3 }), (key, value) => {
        const { manifest, problem } = parseManifest(JSON.stringify({ ...good, [key]: value }, null, 2), path);

        expect(manifest === null).toBe(problem !== null);
        expect(problem ?? `"${key}`).toContain(`"${key}`);
      }),
    );
  });
});

/** Some JSON in the place of a manifest's parts. */
const hidden = (json: string): string => `{"name": ${json}, "mcp": ${json}, "__proto__": ${json}}`;
