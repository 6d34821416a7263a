import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { issuesOf } from "./input-issues.ts";
import type { InputIssue } from "./input-issues.ts";
import { createTimeBox } from "./time-box.ts";

export type CheckInput = (schema: JsonSchema, input: unknown) => InputIssue[];

type JsonSchema = Readonly<Record<string, unknown>>;

/** Of the processor. Enough for any schema meant for people; one that needs more is not worth holding up the hall. */
const boxMs = 100;
const mostCharacters = 500_000;
/** How often a schema may use up its time. Once may be the input's doing. */
const mostOverruns = 2;

/** `unusable` for good: broken, or too costly too often. */
type Known = { validate: ValidateFunction | null; overruns: number; unusable: boolean };

/**
 * Checks inputs against JSON Schemas that others wrote. A schema that is broken, asks for what lies elsewhere, or is made
 * to be costly finds nothing wrong: then whoever wrote it checks by itself. That the machine was too busy to check is told
 * each time, and the next input is checked again.
 */
export function createInputChecker(onProblem: (error: unknown) => void = () => undefined): CheckInput {
  const inTime = createTimeBox(boxMs);
  const seen = new WeakMap<JsonSchema, Known>();
  let isWarm = false;

  function know(schema: JsonSchema): Known {
    const found = seen.get(schema);
    if (found !== undefined) return found;
    const known = { validate: null, overruns: 0, unusable: isTooLong(schema) };
    seen.set(schema, known);
    return known;
  }

  /** Null where it was not done in time. */
  function boxed<Result>(schema: JsonSchema, known: Known, work: () => Result): Result | null {
    const box = inTime(work);
    if (box.outcome === "done") return box.result;
    if (box.outcome === "costly") known.overruns += 1;
    known.unusable = known.overruns >= mostOverruns;
    if (known.unusable) known.validate = null;
    const why = box.outcome === "starved" ? "the machine is too busy" : `its JSON Schema takes longer than ${boxMs} ms`;
    const until = known.unusable ? " It is not checked any more; its member has to." : "";
    onProblem(new Error(`The input of a tool (${wordsFor(schema)}) was not checked: ${why}.${until}`));
    return null;
  }

  /** The first compiler of a process takes several times as long as the next, which is no schema's fault. */
  function warmUp(): void {
    if (!isWarm) compileSchema({ type: "object" });
    isWarm = true;
  }

  function validatorOf(schema: JsonSchema): { validate: ValidateFunction; known: Known } | null {
    const known = know(schema);
    if (known.unusable) return null;
    warmUp();
    try {
      known.validate ??= boxed(schema, known, () => compileSchema(schema));
    } catch {
      known.unusable = true; // broken, or nested so deeply that the stack ends first; its own member must know
    }
    return known.validate === null ? null : { validate: known.validate, known };
  }

  return (schema, input) => {
    const found = validatorOf(schema);
    if (found === null) return [];
    return issuesOf(boxed(schema, found.known, () => errorsOf(found.validate, input)) ?? []);
  };
}

function isTooLong(schema: JsonSchema): boolean {
  try {
    return JSON.stringify(schema).length > mostCharacters;
  } catch {
    return true; // nested so deeply that the stack ends first
  }
}

/** Whatever a schema makes of the compiler, it does so to one that nobody else uses. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const options = {
    allErrors: true,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    // Else every object has a `toString` and a `constructor`.
    ownProperties: true,
  } as const;
  const ajv = isOld(schema) ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  return ajv.compile(schema);
}

/** A schema does not know whose it is; its properties tell. */
function wordsFor({ properties }: JsonSchema): string {
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties).slice(0, 5) : [];
  return names.length === 0 ? "without properties" : `with ${names.map((name) => name.slice(0, 50)).join(", ")}`;
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
