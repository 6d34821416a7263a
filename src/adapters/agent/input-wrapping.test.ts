import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../check-input.ts";
import { createWrappedTools, isWrapped, schemaForModel, unwrapInput, wrapInput } from "./input-wrapping.ts";
import { eventsOf, setStage, textResult } from "./agent-stage.testing.ts";

const text = { type: "string" };
const asked = { type: "object", properties: { question: text }, required: ["question"] };

describe("the schema that a model is shown", () => {
  it.each([
    ["is that of an object", asked],
    ["has a choice below the top", { type: "object", properties: { value: { oneOf: [text, asked] } } }],
    ["has no fields", { type: "object" }],
  ])("is the tool's own if it %s", (_how, schema) => {
    expect(schemaForModel(schema)).toEqual(schema);
  });

  it("is that of an object if the tool's names no type", () => {
    expect(schemaForModel({ properties: { question: text } })).toEqual({ type: "object", properties: { question: text } });
  });

  it.each([
    ["is another type", { type: "string" }],
    ["may be null", { type: ["object", "null"] }],
    ["is one of some values", { enum: ["red", "green"] }],
    ["is one value", { const: 7 }],
    ["has oneOf at the top", { type: "object", oneOf: [asked] }],
    ["has an empty anyOf at the top", { type: "object", anyOf: [] }],
    ["has allOf at the top", { allOf: [asked] }],
    ["has a field that the Messages API refuses", { type: "object", properties: { "filter[id]": text } }],
    ["has a field with a long name", { type: "object", properties: { ["x".repeat(65)]: text } }],
  ])("has the tool's own as its one property if that %s", (_how, schema) => {
    expect(schemaForModel(schema)).toEqual({
      type: "object",
      properties: { input: schema },
      required: ["input"],
      additionalProperties: false,
    });
  });

  it("keeps the definitions of a wrapped schema within reach, and names its dialect at the top", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const tree = { type: "object", properties: { $ref: text, children: { type: "array", items: { $ref: "#" } } } };
    const schema = { $schema, $ref: "#/$defs/tree", $defs: { tree, other: { $ref: "#named", enum: [{ $ref: "#/$defs/tree" }] } } };

    expect(schemaForModel(schema)).toMatchObject({
      $schema,
      properties: {
        input: {
          $ref: "#/properties/input/$defs/tree",
          $defs: {
            tree: { properties: { $ref: text, children: { items: { $ref: "#/properties/input" } } } },
            other: { $ref: "#named", enum: [{ $ref: "#/$defs/tree" }] },
          },
        },
      },
    });
    expect(schemaForModel({ ...schema, $id: "https://tree.example/" }).properties).toMatchObject({ input: { $ref: "#/$defs/tree" } });
  });

  it("takes what the tool's own takes, and nothing else, whatever they are", () => {
    fc.assert(
      fc.property(schemas, fc.array(inputs, { minLength: 5, maxLength: 20 }), (schema, given) => {
        const own = compileSchema(schema);
        const shown = compileSchema(schemaForModel(schema));
        for (const input of given.filter((each) => isWrapped(schema) || isObject(each))) {
          const sent = isWrapped(schema) ? wrapInput(input) : input;
          expect(shown(sent)).toBe(own(input));
          expect(isWrapped(schema) ? unwrapInput(sent) : { input: sent }).toEqual({ input });
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is one that the SDK offers, whatever the tool's own is", async () => {
    const { play } = await setStage([{ text: "Done." }]);
    const tools = fc.sample(schemas, { numRuns: 200, seed: 1 }).map((schema, at) => tool(`tool-${at}`, schema));

    const { ending, events } = await play({ toolServers: [{ name: "work", tools }] });

    expect(ending).toEqual({ outcome: "completed", text: "Done." });
    expect(eventsOf(events, "started")[0]?.tools).toHaveLength(200);
  });
});

describe("the input of a wrapped tool", () => {
  it.each([[{ question: "Why?" }], [{}], [{ input: 1, more: 2 }], ["text"], [null], [[]]])("%j is not wrapped", (given) => {
    expect(unwrapInput(given)).toBeNull();
  });

  it("is shown as the tool gets it, or as it is if it is not wrapped; that of other tools is left alone", () => {
    const wrapped = createWrappedTools([{ name: "work", tools: [tool("a b", text), tool("plain", asked)] }]);

    const shown = [
      wrapped.shown("mcp__work__a_b", { input: "Why?" }),
      wrapped.shown("mcp__work__a_b", { question: "Why?" }),
      wrapped.shown("mcp__work__plain", { input: "Why?" }),
    ];

    expect(shown).toEqual(["Why?", { question: "Why?" }, { input: "Why?" }]);
  });
});

const tool = (name: string, inputSchema: Record<string, unknown>) => ({
  name,
  description: "A tool of the test.",
  inputSchema,
  call: () => Promise.resolve(textResult("")),
});

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const names = fc.constantFrom("a", "b", "input", "filter[id]", "$ref");

type Schema = Record<string, unknown>;

const { nested, withDefinitions } = fc.letrec<{ nested: Schema; withDefinitions: Schema }>((tie) => {
  const leaf = fc.constantFrom<Schema>(
    text,
    { type: "integer", minimum: 3 },
    { type: ["object", "null"] },
    { enum: ["x", { $ref: "#/$defs/first" }] },
    { const: { a: "x" } },
    { type: "array", items: { type: "integer" } },
    {},
  );
  const objects = fc
    .record({ type: fc.constant("object"), properties: fc.dictionary(names, tie("nested"), { maxKeys: 2 }) })
    .map((each): Schema => ({ ...each, required: Object.keys(each.properties) }));
  const choices = fc
    .tuple(fc.constantFrom("oneOf", "anyOf", "allOf"), fc.array(tie("nested"), { minLength: 1, maxLength: 2 }))
    .map(([keyword, each]): Schema => ({ [keyword]: each }));
  const definitions = fc
    .tuple(tie("nested"), tie("nested"), fc.constantFrom("$defs", "definitions"), fc.boolean())
    .map(([first, second, place, isAtTop]): Schema => ({
      [place]: { first, second: { properties: { a: { $ref: `#/${place}/first` }, b: { $ref: "#" } }, default: { $ref: "#" } } },
      ...(isAtTop ? { $ref: `#/${place}/second` } : { type: "object", properties: { b: { $ref: `#/${place}/first` } }, anyOf: [{}] }),
      not: second,
    }));
  return { nested: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, objects, choices), withDefinitions: definitions };
});
const schemas = fc.oneof(nested, withDefinitions);

const inputs = fc.oneof(
  fc.constantFrom<unknown>(
    "x",
    3,
    1,
    null,
    [],
    [5],
    {},
    { a: "x" },
    { a: 4 },
    { b: null, a: [1] },
    { $ref: "#/$defs/first" },
    { input: "x" },
  ),
  fc.dictionary(names, fc.constantFrom<unknown>("x", 4, null, { a: "x" }, [3])),
);
