import { findSchema, inside } from "./find-schema.ts";
import { isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";

/** The schema that holds the keyword a validator names, by the way it went there, references included. */
export function schemaAt(root: JsonObject, keywordLocation: string): JsonObject {
  const steps = partsOf(keywordLocation).slice(0, -1);
  const found = steps.reduce<unknown>((schema, step) => {
    const next = inside(schema, step);
    if (step === "$recursiveRef") return root;
    return step === "$ref" && typeof next === "string" ? findSchema(root, next) : next;
  }, root);
  return isObject(found) ? found : {};
}

/** The validator writes places as fragments of an address. */
export const partsOf = (location: string): string[] =>
  location
    .split("/")
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
