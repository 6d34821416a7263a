import { Validator } from "@cfworker/json-schema";
import type { OutputUnit, SchemaDraft } from "@cfworker/json-schema";
import { inside } from "./find-schema.ts";
import { issueSentence } from "./issue-sentence.ts";
import type { Choices, Issue } from "./issue.ts";
import { isList, isObject, pointerOf, valueAt } from "./json.ts";
import type { JsonObject, Path } from "./json.ts";
import { partsOf, schemaAt } from "./schema-at.ts";
import { settleChoices } from "./settle-choices.ts";

export type CheckRequest = { schema: JsonObject; input: unknown; choices: Choices };

const mostIssues = 500;

/**
 * Checks an input against a tool's schema. Both come from others, and a schema can be made to be costly: call this where
 * it can be ended. Null where the schema cannot be used.
 */
export function checkInput({ schema, input, choices }: CheckRequest): Issue[] | null {
  const errors = validated(schema, input);
  if (errors === null) return null;
  const pathOfError = (error: OutputUnit): Path => pathIn(input, partsOf(error.instanceLocation));
  const issues = settleChoices(errors, { schema, input, choices, pathOfError })
    .slice(0, mostIssues)
    .flatMap((error) => issuesOf(schema, input, error, pathOfError(error)));
  return [...new Map(issues.map((issue) => [`${pointerOf(issue.path)} ${issue.message}`, issue])).values()];
}

/** The validator marks what it has been through, so it gets a schema of its own. It throws at what is no schema, and at what has no end. */
function validated(schema: JsonObject, input: unknown): OutputUnit[] | null {
  try {
    return new Validator(structuredClone(schema), draftOf(schema), false).validate(input).errors;
  } catch {
    return null;
  }
}

function draftOf({ $schema }: JsonObject): SchemaDraft {
  const named = typeof $schema === "string" ? /draft-0(4|7)|(2019-09|2020-12)/.exec($schema) : null;
  return drafts.find((draft) => draft === (named?.[1] ?? named?.[2])) ?? "2020-12";
}

const drafts: readonly SchemaDraft[] = ["4", "7", "2019-09", "2020-12"];

/** A position is told from a key by what holds it. */
function pathIn(input: unknown, parts: readonly string[]): Path {
  const path: (string | number)[] = [];
  for (const part of parts) path.push(isList(valueAt(input, path)) ? Number(part) : part);
  return path;
}

function issuesOf(schema: JsonObject, input: unknown, { keyword, keywordLocation, error }: OutputUnit, path: Path): Issue[] {
  const value = valueAt(input, path);
  const rules = schemaAt(schema, keywordLocation);
  const rule = inside(rules, keyword);
  if (keyword === "required") return missing(isList(rule) ? rule : [], value, path);
  if (keyword === "dependentRequired" || keyword === "dependencies") return missing(neededBeside(rule, value), value, path);
  const [, unknownKey] = /^Property "(.*)" does not match (?:additional|unevaluated) properties schema/s.exec(error) ?? [];
  if (unknownKey !== undefined && rule === false) return [{ path: [...path, unknownKey], message: "The tool does not know this key." }];
  if (keyword === "items" && rule === false) return [{ path, message: "There are too many items." }];
  // Null that OpenAPI's word allows is unknown to JSON Schema.
  if (value === null && rules["nullable"] === true) return [];
  const message = issueSentence(keyword, rule);
  return message === null ? [] : [{ path, message }];
}

const missing = (keys: readonly unknown[], value: unknown, path: Path): Issue[] =>
  keys
    .filter((key): key is string => typeof key === "string" && isObject(value) && !Object.hasOwn(value, key))
    .map((key) => ({ path: [...path, key], message: "This is needed." }));

const neededBeside = (rule: unknown, value: unknown): unknown[] =>
  Object.entries(isObject(rule) ? rule : {}).flatMap(([key, keys]) =>
    isObject(value) && Object.hasOwn(value, key) && isList(keys) ? [...keys] : [],
  );
