import { isList, isObject, wordsOf } from "./json.ts";
import type { Path } from "./json.ts";
import { likeliest, likeness } from "./likeness.ts";
import type { ReadSchema } from "./read-schema.ts";
import { shapeOf } from "./shape.ts";
import type { Shape } from "./shape.ts";

const deepest = 40;

/** Why an input cannot be shown in the form, in words; null where it can. What is merely wrong can be shown, at its field. */
export function misfit(read: ReadSchema, part: unknown, value: unknown, path: Path = []): string | null {
  if (value === undefined || value === null || path.length > deepest) return null;
  const { schema } = read(part);
  const shape = shapeOf(read, schema);
  if (!isShowable(read, shape, value)) {
    const name = path.length === 0 ? "The input" : `"${wordsOf(path)}"`;
    return `${name} is ${kindOf(value)}, and the form has ${controls[shape.kind]} there.`;
  }
  for (const [step, inner, innerPart] of insideOf(read, shape, value)) {
    const found = misfit(read, innerPart, inner, step === null ? path : [...path, step]);
    if (found !== null) return found;
  }
  return null;
}

function isShowable(read: ReadSchema, shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" || typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "tags":
      return isList(value) && value.every((item) => typeof item === "string");
    case "list":
      return isList(value);
    case "object":
      return isObject(value);
    case "variants":
      return shape.variants.some((variant) => likeness(read, variant.schema, value) > -100);
    case "choice":
    case "json":
      return true;
  }
}

type Inside = readonly [step: string | number | null, value: unknown, part: unknown];

function insideOf(read: ReadSchema, shape: Shape, value: unknown): readonly Inside[] {
  if (shape.kind === "variants") return [[null, value, likeliest(read, shape.variants, value)?.schema]];
  if (shape.kind === "list" && isList(value)) return value.map((item, index) => [index, item, shape.itemAt(index)] as const);
  if (shape.kind !== "object" || !isObject(value)) return [];
  const known = new Set(shape.properties.map(({ key }) => key));
  const others = shape.rest === null ? [] : Object.keys(value).filter((key) => !known.has(key));
  return [
    ...shape.properties.map(({ key, schema }) => [key, Object.hasOwn(value, key) ? value[key] : undefined, schema] as const),
    ...others.map((key) => [key, value[key], shape.rest] as const),
  ];
}

function kindOf(value: unknown): string {
  if (isList(value)) return "a list";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? "text" : typeof value === "boolean" ? "yes or no" : "a number";
}

const controls: Record<Shape["kind"], string> = {
  text: "a text field",
  number: "a number",
  boolean: "a switch",
  choice: "a choice",
  tags: "a list of texts",
  list: "a list",
  object: "fields of their own",
  variants: "a choice of other kinds",
  json: "JSON",
};
