import { findSchema } from "./find-schema.ts";
import { isList, isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { listOf, mergeSchemas } from "./merge-schemas.ts";

/** Gives a part of a tool's schema in a form that can be drawn: references followed, `allOf` merged, one level at a time. */
export type ReadSchema = (part: unknown) => ReadPart;

export type ReadPart = {
  schema: JsonObject;
  /** Null is one of the values; `schema` speaks of the others. */
  isNullable: boolean;
};

/** What one part may cost. A part that asks for more is drawn as far as it was read; whoever checks the input reads all of it. */
const mostSteps = 200;

/** Lazy and remembered, so that a schema that refers to itself costs only what is looked at. */
export function createSchemaReader(root: JsonObject): ReadSchema {
  const known = new WeakMap<JsonObject, ReadPart>();
  return (part) => {
    if (!isObject(part)) return { schema: part === false ? { not: {} } : {}, isNullable: false };
    const remembered = known.get(part);
    if (remembered !== undefined) return remembered;
    const steps = { left: mostSteps };
    const read = withoutNull(root, flattened(root, part, steps, []), steps);
    known.set(part, read);
    return read;
  };
}

type Steps = { left: number };

/** A reference that leads nowhere, or back to itself, is left standing: such a part cannot be drawn. */
function flattened(root: JsonObject, part: JsonObject, steps: Steps, above: readonly JsonObject[]): JsonObject {
  steps.left -= 1;
  const { $ref, allOf, ...own } = part;
  if (steps.left < 0) return own;
  const target = typeof $ref === "string" ? findSchema(root, $ref) : undefined;
  if (typeof $ref === "string" && (target === undefined || target === part || above.includes(target))) return { ...own, $ref };
  const more = [...(target === undefined ? [] : [target]), ...(isList(allOf) ? allOf : [])];
  return more.filter(isObject).reduce<JsonObject>((all, next) => mergeSchemas(all, flattened(root, next, steps, [...above, part])), own);
}

/** Takes null out of the ways in which a schema can offer it. One choice that is left over is no choice. */
function withoutNull(root: JsonObject, schema: JsonObject, steps: Steps): ReadPart {
  const types = listOf(schema["type"]);
  const isNullable = schema["nullable"] === true || (types.length > 1 && types.includes("null"));
  const { type: _type, nullable: _nullable, ...rest } = schema;
  const others = types.filter((type) => !(isNullable && type === "null"));
  const bare: JsonObject = others.length === 0 ? rest : { ...rest, type: others.length === 1 ? others[0] : others };
  return withoutNullChoice(root, { schema: bare, isNullable }, steps);
}

function withoutNullChoice(root: JsonObject, { schema, isNullable }: ReadPart, steps: Steps): ReadPart {
  const keyword = isList(schema["anyOf"]) ? "anyOf" : "oneOf";
  const choices = listOf(schema[keyword]);
  const others = choices.filter((choice) => !(isObject(choice) && choice["type"] === "null"));
  const offersNull = isNullable || others.length < choices.length;
  const [only] = others;
  if (others.length !== 1 || !isObject(only) || steps.left < 0) return { schema, isNullable: offersNull };
  const { [keyword]: _choices, ...base } = schema;
  const inner = withoutNull(root, flattened(root, only, steps, []), steps);
  return { schema: mergeSchemas(base, inner.schema), isNullable: offersNull || inner.isNullable };
}
