import { text as readAll } from "node:stream/consumers";
import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { parseJson } from "../../schema/parse-json.ts";
import { keyValues } from "./key-values.ts";

type Given = {
  /** JSON, `-` for stdin, or nothing. */
  json: string | undefined;
  fields: readonly string[] | undefined;
  stdin: NodeJS.ReadableStream;
  /** Asked for only where a field's type matters. */
  schema: () => Promise<Record<string, unknown>>;
};

/** The input of a tool as it was typed: one document, single fields, or both; then fields win. */
export async function readInput({ json, fields, stdin, schema }: Given): Promise<Record<string, unknown>> {
  const document = json === undefined ? {} : parseObject(json === "-" ? await readAll(stdin) : json);
  const pairs = Object.entries(keyValues(fields, "--arg"));
  if (pairs.length === 0) return document;
  const { properties } = Properties.parse(await schema());
  return { ...document, ...Object.fromEntries(pairs.map(([key, value]) => [key, readField(value, properties[key])])) };
}

const Properties = z.object({ properties: z.record(z.string(), z.unknown()).catch({}).default({}) });

function parseObject(json: string): Record<string, unknown> {
  const value = readJson(json);
  const object = z.record(z.string(), z.unknown()).safeParse(value?.parsed);
  if (object.success) return object.data;
  const what = value === null ? "This is not JSON" : "The input of a tool is a JSON object, and this is none";
  const sample = json.length > 60 ? `${json.slice(0, 57)}…` : json;
  throw new HallError("bad_request", `${what}: ${sample}`);
}

/** What the schema calls text stays text, even `5` and `true`; everything else is JSON where it can be. */
function readField(value: string, schema: unknown): unknown {
  const isText = z.object({ type: z.literal("string") }).safeParse(schema).success;
  const json = isText ? null : readJson(value);
  return json === null ? value : json.parsed;
}

function readJson(text: string): { parsed: unknown } | null {
  try {
    return { parsed: parseJson(text) };
  } catch (error) {
    if (error instanceof HallError) throw error;
    return null;
  }
}
