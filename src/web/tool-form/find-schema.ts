import { isList, isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";

/** What a reference names inside the same schema: by a pointer or an anchor. Anything else is elsewhere, and nothing is fetched. */
export function findSchema(root: JsonObject, ref: string): JsonObject | undefined {
  if (ref === "#" || ref === "") return root;
  if (!ref.startsWith("#")) return undefined;
  if (!ref.startsWith("#/")) return anchored(root, ref.slice(1));
  let found: unknown = root;
  for (const part of ref.slice(2).split("/")) found = inside(found, decoded(part).replaceAll("~1", "/").replaceAll("~0", "~"));
  if (found === true) return {};
  return isObject(found) ? found : undefined;
}

export function inside(value: unknown, key: string): unknown {
  if (isList(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A sequence that is no text stays as it was written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (failure) {
    if (failure instanceof URIError) return part;
    throw failure;
  }
}

const anchored = (root: JsonObject, name: string): JsonObject | undefined =>
  [root["$defs"], root["definitions"]]
    .filter(isObject)
    .flatMap((definitions) => Object.values(definitions))
    .filter(isObject)
    .find((definition) => definition["$anchor"] === name || definition["$id"] === `#${name}`);
