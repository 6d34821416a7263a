import { describe, expect, it } from "vitest";
import { createSchemaReader } from "./read-schema.ts";
import { shapeOf } from "./shape.ts";

const root = {
  type: "object",
  properties: { node: { $ref: "#/$defs/node" } },
  $defs: {
    node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, name: { type: "string" } } },
    here: { $anchor: "anchor", type: "integer" },
    loop: { $ref: "#/$defs/pool" },
    pool: { $ref: "#/$defs/loop" },
    "a/b %": { type: "boolean" },
  },
};

const kindOf = (part: unknown, schema: Readonly<Record<string, unknown>> = root) => {
  const read = createSchemaReader(schema);
  return shapeOf(read, read(part).schema).kind;
};

describe("what a part of a schema is drawn as", () => {
  it.each([
    [{ type: "string" }, "text"],
    [{ type: "integer" }, "number"],
    [{ type: "boolean" }, "boolean"],
    [{ enum: ["a", 1, null] }, "choice"],
    [{ const: 3 }, "choice"],
    [{ oneOf: [{ const: "up", title: "Upwards" }, { const: "down" }] }, "choice"],
    [{ type: "array", items: { type: "string" } }, "tags"],
    [{ type: "array", items: { type: "string", format: "date" } }, "list"],
    [{ type: "array", items: { type: "object", properties: {} } }, "list"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "list"],
    [{ type: "array" }, "json"],
    [{ properties: { a: {} } }, "object"],
    [{ type: "object", additionalProperties: { type: "number" } }, "object"],
    [{ type: "object" }, "json"],
    [{ type: ["string", "number"] }, "variants"],
    [{ type: ["string", "null"] }, "text"],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "number"],
    [{ type: "string", nullable: true }, "text"],
    [{ anyOf: [{ type: "string" }, { type: "object", properties: {} }] }, "variants"],
    [{ $ref: "#/$defs/node" }, "object"],
    [{ $ref: "#anchor" }, "number"],
    [{ $ref: "#/$defs/a~1b%20%25" }, "boolean"],
    [{ $ref: "#/$defs/nowhere" }, "json"],
    [{ $ref: "https://example.org/schema.json" }, "json"],
    [{ $ref: "#/$defs/loop" }, "json"],
    [{ allOf: [{ type: "object" }, { properties: { a: { type: "string" } } }] }, "object"],
    [{ not: { type: "string" } }, "json"],
    [true, "json"],
    [false, "json"],
    ["nonsense", "json"],
    [{ enum: Array.from({ length: 2000 }, (_, index) => `option ${index}`) }, "text"],
  ])("%j is drawn as %s", (part, expected) => {
    expect(kindOf(part)).toBe(expected);
  });

  it("knows that null is one of the values, however it is said", () => {
    const read = createSchemaReader(root);
    const parts = [
      { type: ["string", "null"] },
      { type: "string", nullable: true },
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { oneOf: [{ type: "null" }, { $ref: "#/$defs/node" }] },
      { allOf: [{ type: ["string", "null"] }] },
    ];

    expect(parts.map((part) => read(part).isNullable)).toEqual([true, true, true, true, true]);
    expect(read({ type: "string" }).isNullable).toBe(false);
  });

  it("merges what applies at once, the strictest of it", () => {
    const read = createSchemaReader(root);

    const { schema } = read({
      title: "Outer",
      maximum: 10,
      allOf: [
        { type: ["number", "string"], minimum: 1, title: "Inner" },
        { type: "integer", minimum: 3, maximum: 50 },
      ],
    });

    expect(schema).toMatchObject({ title: "Outer", minimum: 3, maximum: 10, type: "integer" });
  });

  it("reads one property that two schemas describe as both say", () => {
    const read = createSchemaReader(root);
    const { schema } = read({
      properties: { a: { type: "string" } },
      allOf: [{ properties: { a: { maxLength: 3 }, b: {} }, required: ["a"] }],
    });

    const properties = schema["properties"] as Record<string, unknown>; // what the merge made of the two above

    expect(Object.keys(properties)).toEqual(["a", "b"]);
    expect(read(properties["a"]).schema).toEqual({ type: "string", maxLength: 3 });
  });

  it("treats variants that only ask for other keys as rules, not as a choice", () => {
    expect(kindOf({ type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] })).toBe("object");
  });

  it("keeps a property named like a part of every object", () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}') as Record<
      string,
      unknown
    >; // as it comes from a member
    const read = createSchemaReader(schema);
    const shape = shapeOf(read, read({ allOf: [schema] }).schema);

    expect(shape).toMatchObject({ kind: "object", properties: [{ key: "__proto__" }, { key: "constructor" }] });
  });
});

describe("a schema that is made to be costly", () => {
  it.each([
    ["that doubles at each step", doubling(40)],
    ["that lies very deep", nested(20_000)],
    [
      "that has ten thousand properties",
      { type: "object", properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, {}])) },
    ],
  ])("%s is read all the same", (_, schema) => {
    const read = createSchemaReader(schema);

    expect(shapeOf(read, read(schema).schema).kind).toBeTypeOf("string");
  });
});

function doubling(steps: number): Readonly<Record<string, unknown>> {
  const definitions = Array.from({ length: steps }, (_, step) => [
    `d${step}`,
    { allOf: [{ $ref: `#/$defs/d${step + 1}` }, { $ref: `#/$defs/d${step + 1}` }] },
  ]);
  return { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(definitions), [`d${steps}`]: { type: "string" } } };
}

function nested(levels: number): Readonly<Record<string, unknown>> {
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { inner: schema }, required: ["inner"] };
  return schema;
}
