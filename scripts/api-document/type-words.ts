/** The part of JSON Schema that zod makes of our schemas, as far as it is read here. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
};

/** What a value is, in words that fit into a cell of a table. */
export function typeWords(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return link(nameOf(schema.$ref));
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeWords).join(" or ");
  if (schema.type === "array") return listWords(schema);
  if (schema.type === "object" || schema.properties !== undefined) return objectWords(schema);
  if (schema.type === undefined) return "anything";
  return `${[schema.type].flat().join(" or ")}${bounds(schema)}`;
}

/** The last part of a reference is the name of the shape. */
export const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference;

export const link = (name: string): string => `[${name}](#${name.toLowerCase()})`;

export const code = (text: string): string => `\`${text}\``;

function listWords({ items, prefixItems }: JsonSchema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeWords).join(", ")}]`;
  return items === undefined ? "list" : `list of ${typeWords(items)}`;
}

function objectWords({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, value]) => `${name}${required.includes(name) ? "" : "?"}: ${typeWords(value)}`);
  if (fields.length > 0) return `{ ${fields.join(", ")} }`;
  const isOfOneKind = typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0;
  return isOfOneKind ? `object of ${typeWords(additionalProperties)}` : "object";
}

function bounds(schema: JsonSchema): string {
  const { minimum, exclusiveMinimum, maximum, maxLength, format } = schema;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const words = [
    format === "date-time" ? "time" : (format ?? ""),
    least === undefined ? "" : `at least ${least}`,
    exclusiveMinimum === undefined ? "" : `more than ${exclusiveMinimum}`,
    most === undefined ? "" : `at most ${most}`,
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    schema.default === undefined ? "" : `default ${code(JSON.stringify(schema.default))}`,
  ].filter((word) => word !== "");
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}
