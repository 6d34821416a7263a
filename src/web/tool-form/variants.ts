import { isList, isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { listOf, mergeSchemas } from "./merge-schemas.ts";
import type { ReadSchema } from "./read-schema.ts";

/** One of several things a part of the input can be. */
export type Variant = {
  /** Its place in the schema's own list, null counted. */
  index: number;
  label: string;
  /** With all that holds for every variant. */
  schema: JsonObject;
};

const mostVariants = 100;

/** Variants that only ask for other keys are rules about one object and no choice between several: they are checked, not drawn. */
export function variantsOf(read: ReadSchema, schema: JsonObject): Variant[] {
  const keyword = isList(schema["oneOf"]) ? "oneOf" : "anyOf";
  const { [keyword]: choices, ...base } = schema;
  if (!isList(choices)) return typeVariants(schema);
  const parts = choices.slice(0, mostVariants).map((choice, index) => ({ index, own: read(choice).schema }));
  const drawn = parts.filter(({ own }) => own["type"] !== "null");
  if (isObject(base["properties"]) && drawn.every(({ own }) => !isObject(own["properties"]))) return [];
  return drawn.map(({ index, own }, position) => ({ index, label: labelOf(own, position), schema: withBase(base, own) }));
}

/** `type: ["string", "number"]` is a choice too. Its variants stand in no list of the schema. */
function typeVariants(schema: JsonObject): Variant[] {
  const types = listOf(schema["type"]);
  if (types.length < 2) return [];
  return types.map((type, index) => ({ index, label: typeWord(type), schema: { ...schema, type } }));
}

/** Title, description and default of the whole are shown once, above the choice. */
function withBase(base: JsonObject, own: JsonObject): JsonObject {
  const { title: _title, description: _description, default: _default, ...rules } = base;
  return mergeSchemas(own, rules);
}

function labelOf(schema: JsonObject, position: number): string {
  if (typeof schema["title"] === "string" && schema["title"] !== "") return schema["title"];
  const mark = Object.values(isObject(schema["properties"]) ? schema["properties"] : {})
    .filter(isObject)
    .map((property) => ("const" in property ? property["const"] : isList(property["enum"]) ? property["enum"][0] : undefined))
    .find((value) => typeof value === "string");
  if (mark !== undefined) return mark;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const [type, ...more] = listOf(schema["type"]);
  return type === undefined || more.length > 0 || type === "object" ? `Option ${position + 1}` : typeWord(type);
}

const typeWord = (type: unknown): string => words[String(type)] ?? String(type);

const words: Readonly<Record<string, string | undefined>> = {
  string: "Text",
  integer: "Whole number",
  number: "Number",
  boolean: "Yes or no",
  array: "List",
  object: "Object",
};
