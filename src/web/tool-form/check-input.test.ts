import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkInput } from "./check-input.ts";
import { wordsOf } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { toolSample } from "./schema-arbitrary.testing.ts";

const issues = (schema: JsonObject, input: unknown, choices = {}): string[] =>
  (checkInput({ schema, input, choices }) ?? []).map(({ path, message }) => `${wordsOf(path)}: ${message}`);

const of = (part: JsonObject): JsonObject => ({ type: "object", properties: { a: part } });

describe("what is said of a value that does not fit", () => {
  it.each<[JsonObject, unknown, string]>([
    [{ type: "string" }, 1, "This must be text."],
    [{ type: ["integer", "null"] }, "x", "This must be a whole number or null."],
    [{ minimum: 1 }, 0, "At least 1."],
    [{ maximum: 30000 }, 60000, "At most 30000."],
    [{ exclusiveMinimum: 0 }, 0, "More than 0."],
    [{ multipleOf: 0.1 }, 0.25, "A multiple of 0.1."],
    [{ minLength: 1 }, "", "This must not be empty."],
    [{ minLength: 3 }, "ab", "At least 3 characters."],
    [{ maxLength: 1 }, "ab", "At most 1 character."],
    [{ pattern: "^[a-z]+$" }, "A", "This must match the pattern ^[a-z]+$"],
    [{ format: "email" }, "x", "An e-mail address, such as ada@example.org."],
    [{ format: "date" }, "2026-13-45", "A date, such as 2026-11-15."],
    [{ enum: ["rows", 2, null] }, "x", "One of: rows, 2, null."],
    [{ const: "x" }, "y", "This must be x."],
    [{ minItems: 2 }, [1], "At least 2 items."],
    [{ uniqueItems: true }, [1, 1], "No two items may be the same."],
    [{ minProperties: 1 }, {}, "At least 1 entry."],
    [{ not: { type: "string" } }, "x", "The tool does not take this value."],
  ])("%j with %j: %s", (part, value, expected) => {
    expect(issues(of(part), { a: value })).toEqual([`a: ${expected}`]);
  });

  it("names the key that is missing, and the key that is not known, at their own places", () => {
    const schema = { type: "object", properties: { a: {} }, required: ["a", "b/~c d"], additionalProperties: false };

    expect(issues(schema, { "e f#%": 1 })).toEqual([
      "a: This is needed.",
      "b/~c d: This is needed.",
      "e f#%: The tool does not know this key.",
    ]);
  });

  it("follows references, of the schema to itself too", () => {
    const schema = { $ref: "#/$defs/n", $defs: { n: { type: "object", properties: { next: { $ref: "#/$defs/n" }, x: { maximum: 3 } } } } };

    expect(issues(schema, { next: { next: { x: 4 } } })).toEqual(["next.next.x: At most 3."]);
  });

  it("takes null where OpenAPI's word allows it", () => {
    expect(issues(of({ type: "string", nullable: true }), { a: null })).toEqual([]);
  });

  it("has words for alternatives that are only keys", () => {
    expect(issues({ type: "object", anyOf: [{ required: ["a"] }, { required: ["b", "c"] }] }, {})).toEqual([": Give one of: a, b with c."]);
  });
});

describe("what is said of a choice", () => {
  const mail = { type: "object", required: ["kind", "to"], properties: { kind: { const: "mail" }, to: { type: "string" } } };
  const phone = { type: "object", required: ["kind", "number"], properties: { kind: { const: "phone" }, number: { type: "integer" } } };
  const schema = of({ oneOf: [mail, phone, { type: "null" }] });

  it("is about the variant that the value looks like", () => {
    expect(issues(schema, { a: { kind: "phone", number: "x" } })).toEqual(["a.number: This must be a whole number."]);
  });

  it("is about the variant that somebody chose", () => {
    expect(issues(schema, { a: {} }, { "/a": 1 })).toEqual(["a.kind: This is needed.", "a.number: This is needed."]);
  });

  it("is told in words where it fits more than one", () => {
    expect(issues(of({ oneOf: [{ type: "number" }, { minimum: 1 }] }), { a: 2 })).toEqual(["a: This must fit exactly one of the choices."]);
  });
});

describe("checking", () => {
  it("finds nothing wrong with what fits", () => {
    fc.assert(
      fc.property(toolSample, ({ schema, value }) => {
        expect(issues(schema, value)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, JsonObject]>([
    ["refers to itself and nothing else", { $ref: "#" }],
    ["refers to what is elsewhere", { $ref: "https://example.org/schema.json" }],
    ["is no schema", { type: "object", properties: { a: { pattern: "(" } } }],
  ])("answers nothing for a schema that %s", (_, schema) => {
    expect(checkInput({ schema, input: { a: "x" }, choices: {} })).toBeNull();
  });

  it("leaves the schema as it was", () => {
    const schema = of({ $ref: "#/$defs/x" });
    const before = JSON.stringify({ ...schema, $defs: { x: {} } });

    const used = JSON.parse(before) as JsonObject; // JSON.parse answers any
    checkInput({ schema: used, input: {}, choices: {} });

    expect(JSON.stringify(used)).toBe(before);
  });
});
