import type { ToolServer } from "../../core/agent/agent-run.ts";
import { nameForModel } from "../../core/agent/tool-name.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The schema of a tool as the model is shown it. The SDK drops tools with some keywords at the top, and all tools of a
 * server if one schema is not that of an object; such schemas are shown as that of the one property `input`.
 */
export function schemaForModel(schema: JsonSchema): JsonSchema & { type: "object" } {
  if (!isWrapped(schema)) return { ...schema, type: "object" };
  const { $schema, ...rest } = schema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { input: withMovedRefs(rest) },
    required: ["input"],
    additionalProperties: false,
  };
}

/** A schema without a type counts as that of an object, because MCP knows no other input. */
export function isWrapped(schema: JsonSchema): boolean {
  const { type, properties } = schema;
  const ofValues = ["enum", "const"].some((keyword) => Object.hasOwn(schema, keyword));
  if (type === undefined ? ofValues : type !== "object") return true;
  if (["oneOf", "anyOf", "allOf", "$ref", "$dynamicRef"].some((keyword) => Object.hasOwn(schema, keyword))) return true;
  return isObject(properties) && Object.keys(properties).some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key));
}

export const wrapInput = (input: unknown): Record<string, unknown> => ({ input });

/** Null if the model did not give its input as `{ "input": … }`. */
export function unwrapInput(given: unknown): { input: unknown } | null {
  return isObject(given) && Object.hasOwn(given, "input") && Object.keys(given).length === 1 ? { input: given["input"] } : null;
}

/** The tools of a run whose input is wrapped, by the names that the model uses. */
export function createWrappedTools(servers: readonly ToolServer[]) {
  const names = new Set(
    servers.flatMap(({ name, tools }) =>
      tools.filter(({ inputSchema }) => isWrapped(inputSchema)).map((tool) => nameForModel(name, tool.name)),
    ),
  );
  return {
    has: (name: string): boolean => names.has(name),
    /** What people and rules see. An input that is not wrapped as it must be is left as it is. */
    shown: (name: string, input: unknown): unknown => (names.has(name) ? (unwrapInput(input) ?? { input }).input : input),
  };
}

export const notWrapped = (tool: string): string =>
  `The input of ${tool} does not fit: give it as an object with the one property "input", as its schema says.`;

/** References that count from the root of the schema, which is at `properties.input` now. A schema with an `$id` is another root. */
function withMovedRefs(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withMovedRefs);
  if (!isObject(schema) || typeof schema["$id"] === "string") return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, movedRefsIn(key, value)]));
}

function movedRefsIn(keyword: string, value: unknown): unknown {
  if (keyword === "$ref" && typeof value === "string") return value.replace(/^#(?=\/|$)/, "#/properties/input");
  if (values.has(keyword)) return value;
  if (!maps.has(keyword) || !isObject(value)) return withMovedRefs(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withMovedRefs(each)]));
}

/** Keywords that hold data, in which a `$ref` means nothing. */
const values = new Set(["const", "default", "enum", "examples"]);
/** Keywords whose keys are names that the author chose. */
const maps = new Set(["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"]);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
