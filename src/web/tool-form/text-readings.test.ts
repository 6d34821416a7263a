import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { asCurl, asHallCommand, tokenHeader } from "./copy-as.ts";
import { readJson, spanOf } from "./json-text.ts";
import { isDate, momentOf, momentText } from "./moment.ts";
import { numberOf } from "./number-text.ts";
import { refusedIssues } from "./refused-issues.ts";
import { runFailureOf } from "./run-failure.ts";

describe("a number as it is typed", () => {
  it.each<[string, number | string]>([
    ["12", 12],
    ["-0.5", -0.5],
    ["1e3", 1000],
    [" 7 ", 7],
    ["1.", 1],
    ["1,5", "1,5"],
    ["-", "-"],
    ["0x10", "0x10"],
    ["1e999", "1e999"],
    ["9007199254740993", "9007199254740993"],
  ])("%j is %j", (text, expected) => {
    expect(numberOf(text)).toBe(expected);
  });

  it("survives being written and read", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const written = String(value);

        expect(numberOf(written)).toSatisfy((read) => read === value || read === written);
      }),
    );
  });
});

describe("a time with its zone", () => {
  it.each([
    ["date-time", "2026-11-15T10:44:00Z"],
    ["date-time", "2026-11-15T10:44:59.125+05:30"],
    ["time", "10:44:00-03:00"],
  ] as const)("%s %s goes into the browser's control and comes back the same", (format, text) => {
    const moment = momentOf(format, text);

    expect(moment === null ? null : momentText(moment)).toBe(text);
  });

  it.each([
    ["date-time", "2026-11-15T10:44:00"],
    ["date-time", "2026-11-15T10:44:59.123456Z"],
    ["date-time", "soon"],
    ["time", "10:44"],
  ] as const)("%s %s stays text, because the control would lose some of it", (format, text) => {
    expect(momentOf(format, text)).toBeNull();
  });

  it("gets the seconds that the control leaves out", () => {
    expect(momentText({ wall: "2026-11-15T10:44", zone: "Z" })).toBe("2026-11-15T10:44:00Z");
    expect(momentText({ wall: "", zone: "Z" })).toBe("");
  });

  it("is a date only where there is such a day", () => {
    expect(["2026-11-15", "2026-13-01", "tomorrow", ""].map(isDate)).toEqual([true, false, false, false]);
  });
});

describe("a text that should be JSON", () => {
  it.each([
    ['{"a": 1,}', "Line 1, column 9"],
    ['{\n  "a": 1\n  "b": 2\n}', "Line 3, column 3: a comma is missing."],
    ['{\n  "a": tru\n}', "Line 2, column 8: a word that JSON does not have."],
    ["{", "Line 1, column 2: a closing brace } is missing."],
    ["", "Line 1, column 1: a value is missing."],
    ["{} {}", "Line 1, column 4: there is something after the end."],
    ['{"a": "x', "a text is not closed with a double quote."],
    ["{ // no\n}", "JSON has no comments."],
  ])("%j: %s", (text, sentence) => {
    const { problem } = readJson(text);

    expect(problem?.sentence).toContain(sentence);
  });

  it("shows where a part stands, or the nearest around it", () => {
    const text = '{"a": {"b": [1, 22]}}';

    const cut = (path: (string | number)[]) => text.slice(spanOf(text, path).from, spanOf(text, path).to);

    expect(cut(["a", "b", 1])).toBe("22");
    expect(cut(["a", "c"])).toBe("{");
    expect(spanOf("", ["a"])).toEqual({ from: 0, to: 0 });
  });
});

describe("a call as a command", () => {
  const call = { origin: "http://127.0.0.1:4870", member: "example", tool: "say", input: { text: "it's $HOME `x` \\ \n\u0000 @file" } };

  it("holds the address, the content type and the body, and no token", () => {
    const command = asCurl(call);

    expect(command).toContain("'http://127.0.0.1:4870/api/tools/invoke'");
    expect(command).toContain("-H 'content-type: application/json'");
    expect(command).toContain('--data-raw \'{"member":"example"');
    expect(command).not.toContain("authorization");
    expect(tokenHeader).toBe('-H "authorization: Bearer $GUILD_HALL_TOKEN"');
  });

  it("quotes what a shell would read", () => {
    expect(asHallCommand(call)).toBe(`guild-hall member call example say '{"text":"it'\\''s $HOME \`x\` \\\\ \\n\\u0000 @file"}'`);
    expect(asHallCommand({ ...call, tool: "-rf *" })).toContain("'-rf *'");
  });
});

describe("what the hall says of a call", () => {
  it("is put at the places it names", () => {
    const failure = new HallError("bad_request", "It does not fit.", {
      details: {
        issues: [
          { path: "session.roles[2]", message: "must be text" },
          { path: "", message: "must have at least 1 entry" },
        ],
      },
    });

    expect(refusedIssues(failure)).toEqual([
      { path: ["session", "roles", 2], message: "Must be text." },
      { path: [], message: "Must have at least 1 entry." },
    ]);
  });

  it.each([
    [new HallError("conflict", "Not now."), []],
    [new HallError("bad_request", "No."), []],
    [new Error("no"), []],
  ])("has no places in %s", (failure, expected) => {
    expect(refusedIssues(failure)).toEqual(expected);
  });

  it.each([
    [new HallError("member_unavailable", '"example" is not connected.'), '"example" is not connected.', true],
    [new HallError("tool_timeout", "It took more than 60 s."), "It took more than 60 s.", true],
    [new HallError("hall_unreachable", "No hall answers at this address."), "The hall does not answer.", false],
    [new HallError("internal", "A bug."), "A bug.", false],
    [new TypeError("x is undefined"), "Something went wrong on this page.", false],
  ])("%s is told with what holds now", (failure, title, offersRestart) => {
    const told = runFailureOf(failure);

    expect(told).toMatchObject({ title, offersRestart });
    expect(told.next).toMatch(/\.$/);
  });
});
