import { listOf } from "../../../tool-form/merge-schemas.ts";

/** An example of the schema's own, where it gives one. */
export function placeholderOf(schema: Readonly<Record<string, unknown>>): string | undefined {
  const example = listOf(schema["examples"])[0] ?? schema["example"];
  if (typeof example === "string") return example === "" ? undefined : example.slice(0, 200);
  return typeof example === "number" ? String(example) : undefined;
}
