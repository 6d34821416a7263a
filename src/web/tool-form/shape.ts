import { isList, isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { listOf } from "./merge-schemas.ts";
import type { ReadSchema } from "./read-schema.ts";
import { textShape } from "./text-shape.ts";
import type { TextShape } from "./text-shape.ts";
import { variantsOf } from "./variants.ts";
import type { Variant } from "./variants.ts";

/** How a part of the input is drawn. */
export type Shape =
  | TextShape
  | { kind: "number"; isWhole: boolean }
  | { kind: "boolean" }
  | { kind: "choice"; options: readonly ChoiceOption[] }
  | { kind: "tags" }
  | { kind: "list"; itemAt: (index: number) => unknown }
  | { kind: "object"; properties: readonly Property[]; rest: unknown }
  | { kind: "variants"; variants: readonly Variant[] }
  /** Whatever the form has no control for is edited as JSON. */
  | { kind: "json" };

export type ChoiceOption = { label: string; value: unknown };
export type Property = { key: string; schema: unknown; isRequired: boolean };

/** More options than this are typed instead of chosen. */
const mostOptions = 500;

export function shapeOf(read: ReadSchema, schema: JsonObject): Shape {
  if ("$ref" in schema || "not" in schema) return { kind: "json" };
  const options = optionsOf(read, schema);
  if (options !== null) return options.length <= mostOptions ? { kind: "choice", options } : typedChoice(options);
  const variants = variantsOf(read, schema);
  if (variants.length > 1) return { kind: "variants", variants };
  switch (typeOf(schema)) {
    case "string":
      return textShape(schema);
    case "integer":
      return { kind: "number", isWhole: true };
    case "number":
      return { kind: "number", isWhole: false };
    case "boolean":
      return { kind: "boolean" };
    case "array":
      return listShape(read, schema);
    case "object":
      return objectShape(schema);
    default:
      return { kind: "json" };
  }
}

/** A closed set of values: an enumeration, one constant, or choices that are constants with titles. */
function optionsOf(read: ReadSchema, schema: JsonObject): ChoiceOption[] | null {
  const names = listOf(schema["enumNames"]);
  if (isList(schema["enum"]))
    return schema["enum"].map((value, index) => ({ value, label: typeof names[index] === "string" ? names[index] : labelOf(value) }));
  if ("const" in schema) return [{ value: schema["const"], label: labelOf(schema["const"]) }];
  const choices = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])].map((choice) => read(choice).schema);
  if (choices.length === 0 || !choices.every((choice) => "const" in choice)) return null;
  return choices.map((choice) => ({
    value: choice["const"],
    label: typeof choice["title"] === "string" ? choice["title"] : labelOf(choice["const"]),
  }));
}

export const labelOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const typedChoice = (options: readonly ChoiceOption[]): Shape =>
  options.every(({ value }) => typeof value === "string")
    ? { kind: "text", format: "plain", isLong: false, suggestions: options.slice(0, mostOptions).map(({ label }) => label) }
    : { kind: "json" };

/** A schema without a type often gives it away. */
function typeOf(schema: JsonObject): unknown {
  const types = listOf(schema["type"]);
  if (types.length === 1) return types[0];
  if (types.length > 1) return undefined;
  if (isObject(schema["properties"])) return "object";
  return "items" in schema || "prefixItems" in schema ? "array" : undefined;
}

function listShape(read: ReadSchema, schema: JsonObject): Shape {
  const fixed = listOf(schema["prefixItems"] ?? (isList(schema["items"]) ? schema["items"] : undefined));
  const rest = isList(schema["items"]) ? schema["additionalItems"] : schema["items"];
  if (fixed.length === 0 && rest === undefined) return { kind: "json" };
  if (fixed.length === 0) {
    const item = read(rest);
    const shape = shapeOf(read, item.schema);
    if (shape.kind === "text" && shape.format === "plain" && !shape.isLong && !item.isNullable) return { kind: "tags" };
  }
  return { kind: "list", itemAt: (index) => fixed[index] ?? rest ?? {} };
}

function objectShape(schema: JsonObject): Shape {
  const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const required = new Set(listOf(schema["required"]));
  const rest = schema["additionalProperties"];
  if (properties.length === 0 && (rest === undefined || rest === true) && required.size === 0) return { kind: "json" };
  return {
    kind: "object",
    properties: properties.map(([key, inner]) => ({ key, schema: inner, isRequired: required.has(key) })),
    rest: rest === false || rest === undefined ? null : rest,
  };
}
