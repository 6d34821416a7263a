import { isList, isObject } from "./json.ts";
import { asksForKeysOnly } from "./settle-choices.ts";

/** What a broken rule asks for, as a short sentence. Null for a rule that only points to others, which speak for themselves. */
export function issueSentence(keyword: string, rule: unknown): string | null {
  const say = sentences[keyword];
  if (say !== undefined) return say(rule);
  return pointsOn.has(keyword) ? null : "This is not what the tool asks for.";
}

const pointsOn = new Set([
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "dependentSchemas",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "false",
]);

const sentences: Readonly<Record<string, ((rule: unknown) => string) | undefined>> = {
  type: (rule) => `This must be ${(isList(rule) ? rule : [rule]).map((type) => kinds[String(type)] ?? String(type)).join(" or ")}.`,
  enum: (rule) => (isList(rule) ? `One of: ${shortened(rule.map(shown).join(", "))}.` : "One of the given values."),
  const: (rule) => `This must be ${shortened(shown(rule))}.`,
  minimum: (rule) => `At least ${String(rule)}.`,
  maximum: (rule) => `At most ${String(rule)}.`,
  exclusiveMinimum: (rule) => (typeof rule === "number" ? `More than ${rule}.` : "More than that."),
  exclusiveMaximum: (rule) => (typeof rule === "number" ? `Less than ${rule}.` : "Less than that."),
  multipleOf: (rule) => `A multiple of ${String(rule)}.`,
  minLength: (rule) => (rule === 1 ? "This must not be empty." : `At least ${counted(rule, "character")}.`),
  maxLength: (rule) => `At most ${counted(rule, "character")}.`,
  pattern: (rule) => `This must match the pattern ${shortened(String(rule))}`,
  format: (rule) => formats[String(rule)] ?? `This must have the format ${shortened(String(rule))}.`,
  minItems: (rule) => `At least ${counted(rule, "item")}.`,
  maxItems: (rule) => `At most ${counted(rule, "item")}.`,
  uniqueItems: () => "No two items may be the same.",
  contains: () => "One of the items must be what the tool asks for, and none is.",
  minContains: (rule) => `At least ${counted(rule, "item")} must be what the tool asks for.`,
  maxContains: (rule) => `At most ${counted(rule, "item")} may be what the tool asks for.`,
  minProperties: (rule) => `At least ${counted(rule, "entry", "entries")}.`,
  maxProperties: (rule) => `At most ${counted(rule, "entry", "entries")}.`,
  propertyNames: () => "A name in here is not allowed.",
  not: () => "The tool does not take this value.",
  anyOf: (rule) => choiceSentence(rule),
  oneOf: (rule) => choiceSentence(rule, "exactly "),
};

function choiceSentence(rule: unknown, exactly = ""): string {
  const variants = isList(rule) ? rule.filter(isObject) : [];
  if (variants.length === 0 || !variants.every(asksForKeysOnly)) return `This must fit ${exactly}one of the choices.`;
  const keys = variants.map(({ required }) => (isList(required) ? required.map(String).join(" with ") : ""));
  return `Give ${exactly}one of: ${shortened(keys.join(", "))}.`;
}

const kinds: Readonly<Record<string, string | undefined>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "yes or no",
  array: "a list",
  object: "an object",
  null: "null",
};

const formats: Readonly<Record<string, string | undefined>> = {
  date: "A date, such as 2026-11-15.",
  "date-time": "A date and time with its zone, such as 2026-11-15T10:44:00Z.",
  time: "A time, such as 10:44:00Z.",
  duration: "A duration, such as PT1H30M.",
  email: "An e-mail address, such as ada@example.org.",
  uri: "A web address, such as https://example.org/.",
  url: "A web address, such as https://example.org/.",
  uuid: "A UUID, such as 123e4567-e89b-12d3-a456-426614174000.",
  hostname: "The name of a machine, such as example.org.",
  ipv4: "An IPv4 address, such as 192.0.2.1.",
  ipv6: "An IPv6 address, such as 2001:db8::1.",
  regex: "A regular expression.",
  "json-pointer": "A JSON pointer, such as /a/0.",
};

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Rules are others' text, and may be of any length. */
const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

const counted = (rule: unknown, one: string, many = `${one}s`): string => `${String(rule)} ${rule === 1 ? one : many}`;
