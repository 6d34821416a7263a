import { listOf } from "../../../tool-form/merge-schemas.ts";

/** What stands in an empty field: what the tool takes for it when it is left out, or an example of the schema's own. */
export function placeholderOf(schema: Readonly<Record<string, unknown>>): string | undefined {
  const standard = wordOf(schema["default"]);
  if (standard !== undefined) return `${standard} (default)`;
  return wordOf(listOf(schema["examples"])[0] ?? schema["example"]);
}

const wordOf = (value: unknown): string | undefined =>
  typeof value === "number" ? String(value) : typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;
