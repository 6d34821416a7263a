import { fromEntries, isObject } from "./json.ts";
import { likeness } from "./likeness.ts";
import type { ReadSchema } from "./read-schema.ts";
import { shapeOf } from "./shape.ts";
import type { Shape } from "./shape.ts";

/** Bounds what a schema that asks for itself, or for ten thousand things, is given to begin with. */
const deepest = 6;
const mostParts = 5000;

/** What a part of the input is before anybody fills it in; `undefined` leaves it out. What must be there begins with what holds no choice. */
export function prefill(read: ReadSchema, part: unknown, isRequired: boolean): unknown {
  const parts = { left: mostParts };
  const fill = (inner: unknown, required: boolean, depth: number): unknown => {
    parts.left -= 1;
    const { schema } = read(inner);
    if ("default" in schema) return structuredClone(schema["default"]);
    if (!required || parts.left < 0) return undefined;
    return fillShape(shapeOf(read, schema), depth);
  };
  const fillShape = (shape: Shape, depth: number): unknown => {
    switch (shape.kind) {
      case "boolean":
        return false;
      case "choice":
        return shape.options.length === 1 ? shape.options[0]?.value : undefined;
      case "tags":
      case "list":
        return [];
      case "object":
        if (depth >= deepest) return undefined;
        return fromEntries(
          shape.properties.flatMap(({ key, schema, isRequired: needed }) => {
            const value = fill(schema, needed, depth + 1);
            return value === undefined ? [] : [[key, value] as const];
          }),
        );
      case "variants":
        return depth >= deepest ? undefined : fill(shape.variants[0]?.schema, true, depth + 1);
      case "text":
      case "number":
      case "json":
        return undefined;
    }
  };
  return fill(part, isRequired, 0);
}

/** A value taken over to another variant: what fits stays, the rest begins anew. */
export function carriedOver(read: ReadSchema, part: unknown, value: unknown): unknown {
  const { schema } = read(part);
  const shape = shapeOf(read, schema);
  if (shape.kind !== "object" || !isObject(value)) return likeness(read, part, value) > 0 ? value : prefill(read, part, true);
  const begun = prefill(read, part, true);
  const kept = shape.properties.flatMap(({ key, schema: inner }) => {
    const old = Object.hasOwn(value, key) ? value[key] : undefined;
    return old !== undefined && likeness(read, inner, old) >= 0 ? [[key, old] as const] : [];
  });
  return fromEntries([...Object.entries(isObject(begun) ? begun : {}), ...kept]);
}
