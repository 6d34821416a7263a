import { z } from "zod";
import { suggestion } from "./nearest-name.ts";

export type Explained = {
  /** Where in the document: keys and positions from the top. */
  path: readonly PropertyKey[];
  /** What is wrong there, without the place: `"port" must be a whole number from 0 to 65535, not "abc"`. */
  message: string;
};

/** Every complaint of a strict schema in words for the person who wrote the document, unknown keys with the nearest known one. */
export function explainIssues(schema: z.ZodType, document: unknown, error: z.ZodError): Explained[] {
  return error.issues.flatMap((issue): Explained[] => {
    if (issue.code === "unrecognized_keys") {
      const known = knownKeys(schema, issue.path);
      return issue.keys.map((key, count) => ({
        path: [...issue.path, key],
        message: `unknown key "${key}"${count < mostSuggestions ? suggestion(key, known) : ""}`,
      }));
    }
    // What a key is called is wrong here, not what it holds.
    if (issue.code === "invalid_key")
      return [{ path: issue.path, message: `"${dotted(issue.path)}" ${issue.issues[0]?.message ?? issue.message}` }];
    const value = valueAt(document, issue.path);
    const name = issue.path.length === 0 ? "the document" : `"${dotted(issue.path)}"`;
    return [{ path: issue.path, message: `${name} ${issue.message}${value === undefined ? "" : `, not ${shown(value)}`}` }];
  });
}

/** Finding what was meant takes its time, and nobody reads it thousands of times. */
const mostSuggestions = 50;

/** `runs.atOnce`, `allowedHosts[2]`. */
export const dotted = (path: readonly PropertyKey[]): string =>
  path.map((step, position) => (typeof step === "number" ? `[${step}]` : `${position === 0 ? "" : "."}${String(step)}`)).join("");

const JsonSchemaPart = z.object({ properties: z.record(z.string(), z.unknown()).optional(), items: z.unknown().optional() });

/** JSON Schema has looked through defaults and optionals already. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let part = JsonSchemaPart.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  for (const step of path) part = JsonSchemaPart.catch({}).parse(typeof step === "number" ? part.items : part.properties?.[String(step)]);
  return Object.keys(part.properties ?? {});
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    document,
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
