import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { judgeSchema } from "./judge-schema.ts";

it.each([
  [{ type: "object", properties: { list: { items: [{}] } } }, "properties.list.items must be a schema"],
  [{ properties: { n: { exclusiveMinimum: true } } }, "properties.n.exclusiveMinimum must be a number"],
  [{ required: "name" }, "required must be a list of different names"],
  [{ properties: null }, "properties must be an object"],
  [{ oneOf: [] }, "oneOf must be a list of schemas"],
  [{ anyOf: [{}, { type: "text" }] }, "anyOf.1.type must be a type of JSON, or a list of them"],
  [{ dependencies: { a: ["b", "b"] } }, "dependencies.a must be a list of different names"],
])("%j is wrong, and the place is named", (schema, words) => {
  const problem = judgeSchema(schema);

  expect(problem).toBe(words);
});

it("finds the same schemas wrong as a validator with the schema of draft 2020-12", () => {
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

  fc.assert(
    fc.property(schemas, (schema) => {
      expect(judgeSchema(schema) === null).toBe(ajv.validateSchema(schema));
    }),
    { numRuns: 2000 },
  );
});

const keywords = (
  "$id $ref $dynamicRef $anchor $comment $defs definitions allOf oneOf prefixItems items contains additionalProperties propertyNames " +
  "unevaluatedItems not if then properties patternProperties dependentSchemas dependencies dependentRequired required type enum examples " +
  "title pattern readOnly uniqueItems minimum exclusiveMaximum multipleOf minLength maxProperties minContains default const toString other"
).split(" ");

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 1.5, -1, "string", "a b", "#x", ["object", "null"], ["a", "a"], [], ["a"], [7], {}, [{}], [true]),
  fc.constantFrom<unknown>({ a: ["b"] }, { a: 1 }, { a: "b" }, { a: {}, b: false }, { a: ["b", "b"] }, ["object", "object"], "object"),
);

const schemas = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.dictionary(
    fc.constantFrom(...keywords),
    fc.oneof(
      { maxDepth: 3 },
      values,
      tie("schema"),
      fc.array(tie("schema"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
    ),
    { maxKeys: 3 },
  ),
})).schema;
