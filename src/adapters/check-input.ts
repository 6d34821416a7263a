import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { issuesOf } from "./input-issues.ts";
import type { InputIssue } from "./input-issues.ts";
import { createTimeBox } from "./time-box.ts";

export type CheckInput = (schema: JsonSchema, input: unknown) => InputIssue[];

type JsonSchema = Readonly<Record<string, unknown>>;

/** Enough for any schema meant for people; one that needs more is not worth holding up the hall. */
const boxMs = 100;
const mostCharacters = 500_000;

/**
 * Checks inputs against JSON Schemas that others wrote. A schema that is broken, asks for what lies elsewhere, or is made
 * to be costly finds nothing wrong: then whoever wrote it checks by itself.
 */
export function createInputChecker(): CheckInput {
  const inTime = createTimeBox(boxMs);
  /** Null for a schema that cannot be used. */
  const known = new WeakMap<JsonSchema, ValidateFunction | null>();

  function compiled(schema: JsonSchema): ValidateFunction | null {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const made = compile(schema, inTime);
    known.set(schema, made);
    return made;
  }

  return (schema, input) => {
    const validate = compiled(schema);
    if (validate === null) return [];
    const errors = inTime(() => errorsOf(validate, input));
    if (errors !== null) return issuesOf(errors);
    known.set(schema, null);
    return [];
  };
}

/** Whatever a schema makes of the compiler, it does so to one that nobody else uses. */
function compile(schema: JsonSchema, inTime: ReturnType<typeof createTimeBox>): ValidateFunction | null {
  try {
    if (JSON.stringify(schema).length > mostCharacters) return null;
    return inTime(() => {
      const options = { allErrors: true, strict: false, logger: false, meta: false, validateSchema: false, inlineRefs: false } as const;
      const ajv = isOld(schema) ? new Ajv(options) : new Ajv2020(options);
      addFormats.default(ajv);
      return ajv.compile(schema);
    });
  } catch {
    return null; // broken, or nested so deeply that the stack ends first; its own member must know
  }
}

/** What names no version is of the newest, as MCP says. */
const isOld = ({ $schema }: JsonSchema): boolean => typeof $schema === "string" && /draft-0[4-7]/.test($schema);

function errorsOf(validate: ValidateFunction, input: unknown): readonly ErrorObject[] {
  try {
    return validate(input) ? [] : (validate.errors ?? []);
  } catch (error) {
    // A schema or an input nested so deeply that the stack ends first.
    if (error instanceof RangeError) return [];
    throw error;
  }
}
