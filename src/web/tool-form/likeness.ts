import { isList, isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { listOf } from "./merge-schemas.ts";
import type { ReadSchema } from "./read-schema.ts";
import type { Variant } from "./variants.ts";

/** The variant a value is most likely meant as; the first where nothing speaks for another. */
export function likeliest(read: ReadSchema, variants: readonly Variant[], value: unknown): Variant | undefined {
  const scored = variants.map((variant) => ({ variant, score: value === undefined ? 0 : likeness(read, variant.schema, value) }));
  return scored.reduce<(typeof scored)[number] | undefined>(
    (best, next) => (best === undefined || next.score > best.score ? next : best),
    undefined,
  )?.variant;
}

/** How much a value looks like what a schema asks for; below zero: it cannot be that. Looks at kinds, keys and constants, not at limits. */
export function likeness(read: ReadSchema, part: unknown, value: unknown): number {
  const { schema, isNullable } = read(part);
  if (value === null) return isNullable || listOf(schema["type"]).includes("null") ? 1 : cannotBe;
  const options = isList(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : null;
  if (options !== null) return options.some((option) => isSame(option, value)) ? constantCounts : cannotBe;
  const types = listOf(schema["type"]);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return cannotBe;
  if (isObject(value)) return keyLikeness(read, schema, value);
  if (isList(value) && value.length > 0 && isObject(schema["items"]))
    return Math.min(1, kindLikeness(read(schema["items"]).schema, value[0]));
  return types.length > 0 ? 1 : 0;
}

const cannotBe = -100;
const constantCounts = 10;

function keyLikeness(read: ReadSchema, schema: JsonObject, value: JsonObject): number {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const missing = listOf(schema["required"]).filter((key) => typeof key === "string" && !Object.hasOwn(value, key)).length;
  const scores = Object.keys(value).map((key) => {
    if (!Object.hasOwn(properties, key)) return schema["additionalProperties"] === false ? -2 : 0;
    return kindLikeness(read(properties[key]).schema, value[key]);
  });
  return scores.reduce((sum, score) => sum + score, 1 - missing);
}

/** One level only, so that no schema can make this costly. */
function kindLikeness(schema: JsonObject, value: unknown): number {
  if ("const" in schema) return isSame(schema["const"], value) ? constantCounts : -constantCounts;
  if (isList(schema["enum"])) return schema["enum"].some((option) => isSame(option, value)) ? 2 : -2;
  const types = listOf(schema["type"]);
  return types.length === 0 || types.some((type) => isOfType(type, value)) ? 1 : -1;
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return isList(value);
    case "object":
      return isObject(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

export const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);
