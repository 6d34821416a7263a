import { describe, expect, it } from "vitest";
import { createInputChecker } from "./check-input.ts";

const check = createInputChecker();
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("an input", () => {
  it("that fits is not complained about", () => {
    const schema = object({ a: { type: "integer" }, b: { type: "string", format: "email" } }, { required: ["a"] });

    expect(check(schema, { a: 1, b: "ada@example.org" })).toEqual([]);
  });

  it.each([
    ["a number that is too large", { n: { maximum: 30 } }, { n: 31 }, "n", "must be at most 30"],
    ["another kind of value", { n: { type: "integer" } }, { n: "one" }, "n", "must be a whole number"],
    ["one of several kinds", { n: { type: ["string", "null"] } }, { n: 1 }, "n", "must be text or null"],
    ["an empty text", { t: { minLength: 1 } }, { t: "" }, "t", "must not be empty"],
    ["a text that is too long", { t: { maxLength: 1 } }, { t: "ab" }, "t", "must have at most 1 character"],
    ["a text outside its pattern", { t: { pattern: "^a+$" } }, { t: "b" }, "t", "must match the pattern ^a+$"],
    ["a text of another format", { t: { format: "date-time" } }, { t: "soon" }, "t", "must be a well-formed date-time"],
    ["a value outside its list", { e: { enum: ["a", 1] } }, { e: "b" }, "e", 'must be one of "a", 1'],
    [
      "an item deep inside",
      { a: object({ b: { type: "array", items: { type: "string" } } }) },
      { a: { b: ["x", 1] } },
      "a.b[1]",
      "must be text",
    ],
    ["an item twice", { l: { uniqueItems: true } }, { l: [1, 1] }, "l", "must not have an item twice"],
    ["too few items", { l: { minItems: 2 } }, { l: [1] }, "l", "must have at least 2 items"],
    ["too many items", { l: { maxItems: 1 } }, { l: [1, 2] }, "l", "must have at most 1 item"],
    ["an item behind the last place", { l: { prefixItems: [{}], unevaluatedItems: false } }, { l: [1, 2] }, "l", "has too many items"],
    [
      "none of the items it takes",
      { l: { contains: { const: 1 } } },
      { l: [] },
      "l",
      "must have at least 1 item of the kind the tool asks for",
    ],
    ["too few entries", { o: { minProperties: 2 } }, { o: { a: 1 } }, "o", "must have at least 2 entries"],
    ["too many entries", { o: { maxProperties: 1 } }, { o: { a: 1, b: 2 } }, "o", "must have at most 1 entry"],
    ["an entry nobody speaks of", { o: { unevaluatedProperties: false } }, { o: { a: 1 } }, "o.a", "is not known to the tool"],
    ["one of two that belong together", { o: { dependentRequired: { a: ["b"] } } }, { o: { a: 1 } }, "o.b", 'is needed where "a" is given'],
    ["another value than the only one", { c: { const: "a" } }, { c: "b" }, "c", 'must be "a"'],
    ["a number that is too small", { n: { minimum: 3 } }, { n: 2 }, "n", "must be at least 3"],
    ["a number at its lower end", { n: { exclusiveMinimum: 3 } }, { n: 3 }, "n", "must be more than 3"],
    ["a number at its upper end", { n: { exclusiveMaximum: 3 } }, { n: 3 }, "n", "must be less than 3"],
    ["a number between two steps", { n: { multipleOf: 5 } }, { n: 7 }, "n", "must be a multiple of 5"],
    ["a text that is too short", { t: { minLength: 2 } }, { t: "a" }, "t", "must have at least 2 characters"],
    ["a value that is taken out", { n: { not: { const: 1 } } }, { n: 1 }, "n", "is a value that the tool does not take"],
    ["a field that is closed", { n: false }, { n: 1 }, "n", "is not taken by the tool"],
    [
      "a choice with one form of its kind",
      { c: { anyOf: [{ type: "string", maxLength: 2 }, { type: "null" }] } },
      { c: "abc" },
      "c",
      "must have at most 2 characters",
    ],
    [
      "a choice without a form of its kind",
      { c: { oneOf: [{ type: "string" }, { type: "integer" }] } },
      { c: true },
      "c",
      "must be text or a whole number",
    ],
  ])("with %s is told where and why", (_what, properties, input, path, message) => {
    expect(check(object(properties), input)).toEqual([{ path, message }]);
  });

  it("that lacks something, or has too much, is told by the name of that", () => {
    const schema = object({ a: object({ b: {} }, { required: ["b"] }) }, { additionalProperties: false });

    expect(check(schema, { a: {}, z: 1 })).toEqual([
      { path: "z", message: "is not known to the tool" },
      { path: "a.b", message: "is needed" },
    ]);
  });

  it.each(["toString", "constructor", "hasOwnProperty"])("has a %s only where it was given one", (name) => {
    const properties = { [name]: { type: "string" } };

    expect(check(object(properties), {})).toEqual([]);
    expect(check(object(properties, { required: [name] }), {})).toEqual([{ path: name, message: "is needed" }]);
    expect(check(object({}, { additionalProperties: false }), { [name]: "x" })).toEqual([
      { path: name, message: "is not known to the tool" },
    ]);
  });

  it.each(["$defs", "definitions"])("is checked by what a schema refers to in %s", (place) => {
    const schema = { ...object({ a: { $ref: `#/${place}/small` } }), [place]: { small: { type: "integer", maximum: 3 } } };

    expect(check(schema, { a: 4 })).toEqual([{ path: "a", message: "must be at most 3" }]);
  });

  it("is checked by the version that a schema names, and by the newest where it names none", () => {
    const tuple = { type: "array", items: [{ type: "string" }], additionalItems: false };
    const together = { dependencies: { a: ["b"] } };
    const old = { $schema: "http://json-schema.org/draft-07/schema#", ...object({ l: tuple, o: together }) };
    const today = object({ l: { type: "array", prefixItems: [{ type: "string" }], items: false } });

    expect(check(old, { l: [1] })).toEqual([{ path: "l[0]", message: "must be text" }]);
    expect(check(old, { l: ["a", "b"] })).toEqual([{ path: "l", message: "has too many items" }]);
    expect(check(old, { o: { a: 1 } })).toEqual([{ path: "o.b", message: 'is needed where "a" is given' }]);
    expect(check(today, { l: ["a", "b"] })).toEqual([{ path: "l", message: "has too many items" }]);
  });

  it("of a schema that refers to itself is checked at every depth", () => {
    const schema = object({ name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } });

    expect(check(schema, { children: [{ children: [{ name: 1 }] }] })).toEqual([
      { path: "children[0].children[0].name", message: "must be text" },
    ]);
  });
});

describe("on a busy machine, an input", () => {
  it("is checked when the first look at its schema was held up", () => {
    const schema = heldUp([1]);

    expect(createInputChecker()(schema, { n: 1 })).toEqual([{ path: "n", message: "must be text" }]);
  });

  it("that could not be checked at all is told, and the next one is checked", () => {
    const schema = heldUp([1, 2, 3]);
    const problems: unknown[] = [];
    const checkBusy = createInputChecker((error) => problems.push(error));

    const first = checkBusy(schema, { n: 1 });
    const second = checkBusy(schema, { n: 1 });

    expect(first).toEqual([]);
    expect(String(problems)).toContain("(with n) was not checked: the machine is too busy.");
    expect(second).toEqual([{ path: "n", message: "must be text" }]);
  });
});

describe("costly inputs", () => {
  it("do not take the check from the next one, until there were too many, which is told", () => {
    const problems: string[] = [];
    const checkOnce = createInputChecker((error) => problems.push(String(error)));
    const schema = object({ n: { pattern: "^(a+)+$" } });
    const costly = { n: `${"a".repeat(50)}!` };
    const isGivenUp = () => problems.at(-1)?.includes("It is not checked any more; its member has to.") === true;

    checkOnce(schema, costly);
    const afterOne = checkOnce(schema, { n: "b" });
    for (let count = 0; count < 20 && !isGivenUp(); count += 1) checkOnce(schema, costly);
    const afterMany = checkOnce(schema, { n: "b" });

    expect(afterOne).toEqual([{ path: "n", message: "must match the pattern ^(a+)+$" }]);
    expect(isGivenUp()).toBe(true);
    expect(afterMany).toEqual([]);
  });
});

describe("a schema", () => {
  it.each([
    ["is broken", object({ n: { type: "nonsense" } })],
    ["is broken in its rules", object({ n: { maximum: "many" } })],
    ["asks for what lies elsewhere", object({ n: { $ref: "https://example.org/schema.json" } })],
    ["refers to nothing", object({ n: { $ref: "#/$defs/missing" } })],
    ["refers to itself and nothing else", object({ n: { $ref: "#/properties/n" } })],
    ["has a pattern that is none", object({ n: { pattern: "(" } })],
    ["is very large", object(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`p${n}`, { type: "string" }])))],
    ["is nested very deeply", nested(20_000)],
    ["has a pattern without an end", object({ n: { pattern: "^(a+)+$" } })],
    ["multiplies itself", multiplied(40)],
  ])("that %s finds nothing wrong, and does not hold up the hall", (_how, schema) => {
    expect(check(schema, { n: `${"a".repeat(50)}!`, a: {} })).toEqual([]);
    expect(check(schema, { n: `${"a".repeat(50)}!`, a: {} })).toEqual([]);
  });

  it("does not get in the way of another with the same name", () => {
    const first = { $id: "https://example.org/same", ...object({ a: { type: "string" } }) };
    const second = { $id: "https://example.org/same", ...object({ a: { type: "integer" } }) };

    expect(check(first, { a: "text" })).toEqual([]);
    expect(check(second, { a: "text" })).toEqual([{ path: "a", message: "must be a whole number" }]);
  });
});

function nested(depth: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = object({ a: schema });
  return schema;
}

/** Each part asks for the next one twice, so that looking at all takes two to the power of their number. */
function multiplied(parts: number): Record<string, unknown> {
  const next = (n: number) => ({ $ref: `#/$defs/d${n + 1}` });
  const defs = Array.from({ length: parts }, (_, n) => [`d${n}`, { anyOf: [next(n), next(n)] }]);
  return { ...object({ n: { $ref: "#/$defs/d0" } }), $defs: { ...Object.fromEntries(defs), [`d${parts}`]: { type: "null" } } };
}

/** A schema at which, in the numbered looks of a compiler, somebody else takes the processor for longer than anybody waits. */
function heldUp(looks: readonly number[]): Record<string, unknown> {
  let look = -1; // the first is that of who measures its length
  return {
    ...object({ n: { type: "string" } }),
    get type() {
      look += 1;
      if (looks.includes(look)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
      return "object";
    },
  };
}
