import { isList, isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";

/** Both apply. Where one must be chosen to draw something, the outer one says; whoever checks the input checks both. */
export function mergeSchemas(outer: JsonObject, inner: JsonObject): JsonObject {
  const all = new Map<string, unknown>(Object.entries(inner));
  for (const [key, value] of Object.entries(outer)) all.set(key, all.has(key) ? (together[key] ?? first)(value, all.get(key)) : value);
  return Object.fromEntries(all);
}

/** A keyword that may stand with one value or with a list of them. */
export const listOf = (value: unknown): readonly unknown[] => (isList(value) ? value : value === undefined ? [] : [value]);

type Join = (outer: unknown, inner: unknown) => unknown;

const first: Join = (outer) => outer;
const least: Join = (one, other) => (typeof one === "number" && typeof other === "number" ? Math.min(one, other) : one);
const most: Join = (one, other) => (typeof one === "number" && typeof other === "number" ? Math.max(one, other) : one);
const union: Join = (one, other) => [...new Set([...listOf(one), ...listOf(other)])];

const common: Join = (one, other) => {
  const texts = new Set(listOf(other).map((value) => JSON.stringify(value)));
  return listOf(one).filter((value) => texts.has(JSON.stringify(value)));
};

/** A whole number is a number. */
const commonTypes: Join = (one, other) => {
  const isIn = (type: unknown, types: readonly unknown[]) => types.includes(type) || (type === "integer" && types.includes("number"));
  const [ones, others] = [listOf(one), listOf(other)];
  return [...new Set([...ones.filter((type) => isIn(type, others)), ...others.filter((type) => isIn(type, ones))])];
};

/** What two schemas say of one property is merged when it is looked at. */
const eachProperty: Join = (one, other) => {
  const all = new Map<string, unknown>(Object.entries(isObject(one) ? one : {}));
  for (const [key, schema] of Object.entries(isObject(other) ? other : {}))
    all.set(key, all.has(key) ? { allOf: [all.get(key), schema] } : schema);
  return Object.fromEntries(all);
};

const together: Readonly<Record<string, Join | undefined>> = {
  required: union,
  enum: common,
  type: commonTypes,
  properties: eachProperty,
  additionalProperties: (one, other) => (one === false || other === false ? false : one === true ? other : one),
  minimum: most,
  exclusiveMinimum: most,
  minLength: most,
  minItems: most,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
};
