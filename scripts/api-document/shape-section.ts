import type { FieldComments } from "./field-comments.ts";
import { code, typeWords } from "./type-words.ts";
import type { JsonSchema } from "./type-words.ts";

/** One shape with its fields, or with its variants where it is one of several. */
export function shapeSection(name: string, schema: JsonSchema, comments: FieldComments): string {
  const about = comments.get(name);
  const variants = schema.oneOf ?? schema.anyOf;
  const body = variants === undefined ? fieldTable(name, schema, comments) : variantTable(variants);
  return [`### ${name}`, ...(about === undefined ? [] : [about]), body].join("\n\n");
}

function fieldTable(name: string, { properties = {}, required = [] }: JsonSchema, comments: FieldComments): string {
  const rows = Object.entries(properties).map(([field, value]) => {
    const mark = required.includes(field) ? "" : "?";
    return `| \`${field}${mark}\` | ${cell(typeWords(value))} | ${cell(comments.get(`${name}.${field}`) ?? "")} |`;
  });
  return ["| field | is | |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Told apart by the one field that is the same in none of them. */
function variantTable(variants: readonly JsonSchema[]): string {
  const rows = variants.map(({ properties = {}, required = [] }) => {
    const [[, kind] = ["", {}]] = Object.entries(properties).filter(([field]) => markers.has(field));
    const rest = Object.entries(properties).filter(([field]) => !markers.has(field));
    const fields = rest.map(([field, value]) => `${code(`${field}${required.includes(field) ? "" : "?"}`)}: ${typeWords(value)}`);
    return `| ${cell(typeWords(kind))} | ${cell(fields.join("; "))} |`;
  });
  return ["| kind | with |", "| --- | --- |", ...rows].join("\n");
}

const markers: ReadonlySet<string> = new Set(["event", "type"]);

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
