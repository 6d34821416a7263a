import type { ErrorObject } from "ajv";

export type InputIssue = { path: string; message: string };

const mostIssues = 100;

/** What is wrong, place by place, in sentences that follow the place's name. */
export function issuesOf(errors: readonly ErrorObject[]): InputIssue[] {
  const found: Found[] = [];
  for (const error of errors.slice(0, 10 * mostIssues)) {
    if (error.keyword === "anyOf" || error.keyword === "oneOf") settleChoice(found, error);
    else if (!pointsOn.has(error.keyword)) found.push({ error, path: pathOf(error), message: sentenceOf(error) });
  }
  const once = new Map(found.map(({ path, message }) => [`${path} ${message}`, { path, message }]));
  return [...once.values()].slice(0, mostIssues);
}

type Found = InputIssue & { error: ErrorObject };

/** Keywords that only say that others, which are told too, were not met. */
const pointsOn = new Set(["if", "then", "else", "$ref", "propertyNames"]);

/**
 * The forms of a choice have all told what they miss, just before. Forms of another kind say nothing worth reading; where
 * one form is left, what it misses is what is wrong.
 */
function settleChoice(found: Found[], error: ErrorObject): void {
  const isBelow = ({ error: each }: Found) =>
    each.instancePath === error.instancePath || each.instancePath.startsWith(`${error.instancePath}/`);
  const below = found.filter(isBelow);
  const isOtherKind = ({ error: each }: Found) =>
    each.instancePath === error.instancePath && ["type", "const", "enum"].includes(each.keyword);
  const telling = below.filter((each) => !isOtherKind(each));
  const types = below.filter(({ error: each }) => each.keyword === "type").flatMap(({ error: each }) => typesIn(each));
  found.splice(0, found.length, ...found.filter((each) => !below.includes(each)));
  if (telling.length > 0 && telling.length <= 3) found.push(...telling);
  else {
    const message =
      telling.length === 0 && types.length > 0 ? mustBe([...new Set(types)]) : "must fit one of the forms that the tool takes";
    found.push({ error, path: pathOf(error), message });
  }
}

/** `a.b[0]`, from `/a/b/0`. What is missing or not known has a place of its own. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const named: unknown = params[ownPlace[keyword] ?? ""];
  if (typeof named === "string") parts.push(named);
  return parts.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`), "");
}

const ownPlace: Readonly<Record<string, string | undefined>> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  dependencies: "missingProperty",
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "unevaluatedProperty",
};

function sentenceOf({ keyword, params, message }: ErrorObject): string {
  const rule: Record<string, unknown> = params;
  return sentences[keyword]?.(rule) ?? message ?? "is not what the tool takes";
}

const sentences: Readonly<Record<string, ((rule: Record<string, unknown>) => string) | undefined>> = {
  type: ({ type }) => mustBe([type].flat()),
  enum: ({ allowedValues }) => `must be one of ${shortened([allowedValues].flat().map(shown).join(", "))}`,
  const: ({ allowedValue }) => `must be ${shortened(shown(allowedValue))}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  minLength: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${counted(limit, "character")}`),
  maxLength: ({ limit }) => `must have at most ${counted(limit, "character")}`,
  pattern: ({ pattern }) => `must match the pattern ${shortened(String(pattern))}`,
  format: ({ format }) => `must be a well-formed ${shortened(String(format))}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, "item")}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, "item")}`,
  uniqueItems: () => "must not have an item twice",
  contains: ({ minContains }) => `must have at least ${counted(minContains ?? 1, "item")} of the kind the tool asks for`,
  minProperties: ({ limit }) => `must have at least ${counted(limit, "entry", "entries")}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, "entry", "entries")}`,
  required: () => "is needed",
  dependentRequired: ({ property }) => `is needed where ${shown(property)} is given`,
  dependencies: ({ property }) => `is needed where ${shown(property)} is given`,
  additionalProperties: () => "is not known to the tool",
  unevaluatedProperties: () => "is not known to the tool",
  items: () => "has too many items",
  additionalItems: () => "has too many items",
  unevaluatedItems: () => "has too many items",
  not: () => "is a value that the tool does not take",
  "false schema": () => "is not taken by the tool",
};

const typesIn = (error: ErrorObject): unknown[] => [(error.params as Record<string, unknown>)["type"]].flat(); // `any` by ajv's types

const mustBe = (types: readonly unknown[]): string => `must be ${types.map((type) => kinds[String(type)] ?? String(type)).join(" or ")}`;

const kinds: Readonly<Record<string, string | undefined>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

const shown = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/** Rules are others' text, and may be of any length. */
const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

const counted = (limit: unknown, one: string, many = `${one}s`): string => `${String(limit)} ${limit === 1 ? one : many}`;
