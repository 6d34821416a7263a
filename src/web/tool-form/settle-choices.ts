import type { OutputUnit } from "@cfworker/json-schema";
import type { Choices } from "./issue.ts";
import { isList, pointerOf, valueAt } from "./json.ts";
import type { JsonObject, Path } from "./json.ts";
import { likeliest } from "./likeness.ts";
import { createSchemaReader } from "./read-schema.ts";
import { schemaAt } from "./schema-at.ts";

type Settle = { schema: JsonObject; input: unknown; choices: Choices; pathOfError: (error: OutputUnit) => Path };

/**
 * Where a value fits none of several variants, a validator tells what is wrong with each. People want to hear what is
 * wrong with the one they meant: the one they chose, or the one the value looks like.
 */
export function settleChoices(errors: readonly OutputUnit[], { schema, input, choices, pathOfError }: Settle): OutputUnit[] {
  const read = createSchemaReader(schema);
  const notMeant: string[] = [];
  return errors.filter((error) => {
    const { keyword, keywordLocation } = error;
    if (notMeant.some((place) => keywordLocation.startsWith(place))) return false;
    if (keyword !== "anyOf" && keyword !== "oneOf") return true;
    const path = pathOfError(error);
    const listed = schemaAt(schema, keywordLocation)[keyword];
    const variants = (isList(listed) ? listed : []).map((part, index) => ({ index, label: "", schema: read(part).schema }));
    if (variants.every((variant) => asksForKeysOnly(variant.schema))) {
      notMeant.push(`${keywordLocation}/`);
      return true;
    }
    const chosen = variants[choices[pointerOf(path)] ?? -1] ?? likeliest(read, variants, valueAt(input, path));
    for (const { index } of variants) if (index !== chosen?.index) notMeant.push(`${keywordLocation}/${index}/`);
    return !errors.some((other) => other.keywordLocation.startsWith(`${keywordLocation}/${chosen?.index}/`));
  });
}

export const asksForKeysOnly = (schema: JsonObject): boolean =>
  isList(schema["required"]) && Object.keys(schema).every((key) => key === "required" || key === "type" || key === "title");
