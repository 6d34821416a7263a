import fc from "fast-check";
import type { JsonObject } from "./json.ts";

/** A schema as tools have them, and a value that fits it. */
export type Sample = { schema: JsonObject; value: unknown };

const key = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }).filter((name) => name !== "__proto__");

const text: fc.Arbitrary<Sample> = fc
  .tuple(fc.string({ maxLength: 20, unit: "grapheme" }), fc.option(fc.constantFrom("text", "markdown"), { nil: undefined }))
  .map(([value, format]) => ({ schema: { type: "string", ...(format === undefined ? {} : { format }) }, value }));

const moment: fc.Arbitrary<Sample> = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(
      { schema: { type: "string", format: "date-time" }, value: date.toISOString() },
      { schema: { type: "string", format: "date" }, value: date.toISOString().slice(0, 10) },
    ),
  );

const figure: fc.Arbitrary<Sample> = fc.oneof(
  fc.integer().map((value) => ({ schema: { type: "integer", minimum: value - 1, maximum: value }, value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ schema: { type: "number" }, value: Object.is(value, -0) ? 0 : value })),
);

const choice: fc.Arbitrary<Sample> = fc
  .uniqueArray(fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean(), fc.constant(null)), { minLength: 1, maxLength: 5 })
  .chain((options) => fc.constantFrom(...options).map((value) => ({ schema: { enum: options }, value })));

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  text,
  moment,
  figure,
  choice,
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, value })),
  fc.json().map((value) => ({ schema: {}, value: JSON.parse(value) as unknown })), // JSON.parse answers any
);

const nullable = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(inner, fc.boolean()).map(([{ schema, value }, isNull]) => ({
    schema: { anyOf: [schema, { type: "null" }] },
    value: isNull ? null : value,
  }));

const list = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(inner, fc.nat(4)).map(([{ schema, value }, length]) => ({
    schema: { type: "array", items: schema },
    value: Array.from({ length }, () => value),
  }));

const map = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(inner, fc.uniqueArray(key, { maxLength: 3 })).map(([{ schema, value }, keys]) => ({
    schema: { type: "object", additionalProperties: schema },
    value: Object.fromEntries(keys.map((name) => [name, value])),
  }));

/** Some properties are required, some left out; what is left out must stay so. */
const object = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .uniqueArray(fc.record({ name: key, sample: inner, presence: fc.constantFrom("required", "given", "left out") }), {
      maxLength: 5,
      selector: ({ name }) => name,
    })
    .map((properties) => ({
      schema: {
        type: "object",
        properties: Object.fromEntries(properties.map(({ name, sample }) => [name, sample.schema])),
        required: properties.filter(({ presence }) => presence === "required").map(({ name }) => name),
      },
      value: Object.fromEntries(
        properties.filter(({ presence }) => presence !== "left out").map(({ name, sample }) => [name, sample.value]),
      ),
    }));

/** Objects that a constant tells apart, as most schemas with variants have them. */
const variants = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(fc.array(inner, { minLength: 2, maxLength: 4 }), fc.nat()).map(([samples, at]) => {
    const chosen = at % samples.length;
    const forms = samples.map(({ schema }, index) => ({
      type: "object",
      properties: { kind: { const: `kind ${index}` }, of: schema },
      required: ["kind", "of"],
    }));
    return { schema: { oneOf: forms }, value: { kind: `kind ${chosen}`, of: samples[chosen]?.value } };
  });

const { tree } = fc.letrec<{ tree: Sample }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    nullable(leaf),
    list(tie("tree")),
    map(tie("tree")),
    object(tie("tree")),
    variants(tie("tree")),
  ),
}));

/** The input schema of a tool with an input that fits. */
export const toolSample: fc.Arbitrary<{ schema: JsonObject; value: JsonObject }> = object(tree).map(({ schema, value }) => ({
  schema,
  value: value as JsonObject, // an object's sample is an object
}));

export const anySample: fc.Arbitrary<Sample> = tree;
