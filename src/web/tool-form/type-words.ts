import type { JsonObject } from "./json.ts";
import { listOf } from "./merge-schemas.ts";
import type { ReadSchema } from "./read-schema.ts";
import type { Shape } from "./shape.ts";

/** What stands quietly beside a field's name: its kind, or its range. */
export function typeWords(read: ReadSchema, schema: JsonObject, shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return typeof schema["format"] === "string" ? schema["format"].slice(0, 40) : "string";
    case "number":
      return rangeWords(schema) ?? (shape.isWhole ? "integer" : "number");
    case "boolean":
      return "boolean";
    case "choice":
      return shape.options.length === 1 ? "constant" : "enum";
    case "tags":
      return "array of string";
    case "list":
      return `array of ${listOf(read(shape.itemAt(0)).schema["type"])[0] === undefined ? "items" : String(listOf(read(shape.itemAt(0)).schema["type"])[0])}`;
    case "object":
      return "object";
    case "variants":
      return "one of several";
    case "json":
      return "JSON";
  }
}

function rangeWords({ minimum, maximum }: JsonObject): string | null {
  if (typeof minimum === "number" && typeof maximum === "number") return `${minimum} to ${maximum}`;
  if (typeof minimum === "number") return `from ${minimum}`;
  return typeof maximum === "number" ? `up to ${maximum}` : null;
}
