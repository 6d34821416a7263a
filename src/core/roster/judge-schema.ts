/**
 * Returns what is wrong with a JSON Schema by draft 2020-12, or null. The Messages API takes no other dialect: with one
 * such tool it refuses every request. Written by hand, because a validator takes 0.3 s to start.
 */
export function judgeSchema(schema: unknown, path = ""): string | null {
  if (typeof schema === "boolean") return null;
  if (!isObject(schema)) return `${path} must be a schema`;
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = judges.get(keyword)?.(value, path === "" ? keyword : `${path}.${keyword}`) ?? null;
    if (problem !== null) return problem;
  }
  return null;
}

type Judge = (value: unknown, path: string) => string | null;

const must =
  (what: string, isRight: (value: unknown) => boolean): Judge =>
  (value, path) =>
    isRight(value) ? null : `${path} must be ${what}`;

function first<Entry>(entries: Iterable<Entry>, judge: (entry: Entry) => string | null): string | null {
  for (const entry of entries) {
    const problem = judge(entry);
    if (problem !== null) return problem;
  }
  return null;
}

const mapOf =
  (judge: Judge): Judge =>
  (value, path) =>
    isObject(value) ? first(Object.entries(value), ([name, each]) => judge(each, `${path}.${name}`)) : `${path} must be an object`;

const schemaList: Judge = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? first(value.entries(), ([at, each]) => judgeSchema(each, `${path}.${at}`))
    : `${path} must be a list of schemas`;

const isText = (value: unknown): value is string => typeof value === "string";
const isSet = (value: unknown): boolean => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isType = (value: unknown): boolean => isText(value) && types.has(value);
const isTypes = (value: unknown): boolean =>
  isType(value) || (Array.isArray(value) && value.length > 0 && isSet(value) && value.every(isType));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

const text = must("text", isText);
const flag = must("true or false", (value) => typeof value === "boolean");
const number = must("a number", (value) => typeof value === "number");
const count = must("a whole number from 0 on", (value) => Number.isInteger(value) && Number(value) >= 0);
const list = must("a list", Array.isArray);
const names = must("a list of different names", isSet);
const plainName = must("a plain name", (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value));

const judges: ReadonlyMap<string, Judge> = new Map(
  (
    [
      [
        judgeSchema,
        "additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties",
      ],
      [mapOf(judgeSchema), "$defs definitions dependentSchemas patternProperties properties"],
      [schemaList, "allOf anyOf oneOf prefixItems"],
      [mapOf((value, path) => (Array.isArray(value) ? names(value, path) : judgeSchema(value, path))), "dependencies"],
      [mapOf(names), "dependentRequired"],
      [names, "required"],
      [must("a type of JSON, or a list of them", isTypes), "type"],
      [must("an address without a fragment", (value) => isText(value) && /^[^#]*#?$/.test(value)), "$id"],
      [plainName, "$anchor $dynamicAnchor"],
      [text, "$comment $dynamicRef $ref $schema contentEncoding contentMediaType description format pattern title"],
      [flag, "deprecated readOnly uniqueItems writeOnly"],
      [list, "enum examples"],
      [number, "exclusiveMaximum exclusiveMinimum maximum minimum"],
      [must("a number above 0", (value) => typeof value === "number" && value > 0), "multipleOf"],
      [count, "maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties"],
    ] satisfies [Judge, string][]
  ).flatMap(([judge, keywords]) => keywords.split(" ").map((keyword) => [keyword, judge] as const)),
);
