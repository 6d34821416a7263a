import type { JsonObject } from "./json.ts";

export type TextFormat = "plain" | "date" | "date-time" | "time" | "email" | "uri" | "password";

export type TextShape = { kind: "text"; format: TextFormat; isLong: boolean; suggestions: readonly string[] };

export function textShape(schema: JsonObject): TextShape {
  const format = typeof schema["format"] === "string" ? schema["format"] : "";
  return { kind: "text", format: formats[format] ?? "plain", isLong: isLong(schema, format), suggestions: [] };
}

const formats: Readonly<Record<string, TextFormat | undefined>> = {
  date: "date",
  "date-time": "date-time",
  time: "time",
  email: "email",
  "idn-email": "email",
  uri: "uri",
  url: "uri",
  iri: "uri",
  "uri-reference": "uri",
  password: "password",
};

const longFormats = new Set(["text", "textarea", "multiline", "multi-line", "markdown", "html", "code", "sql"]);

/** A limit from which a text is likely to have more than one line. */
const longText = 250;

function isLong(schema: JsonObject, format: string): boolean {
  if (longFormats.has(format) || typeof schema["contentMediaType"] === "string") return true;
  if (typeof schema["maxLength"] === "number" && schema["maxLength"] >= longText) return true;
  return typeof schema["default"] === "string" && /\n/.test(schema["default"]);
}
