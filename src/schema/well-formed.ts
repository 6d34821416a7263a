/**
 * Copies JSON data with each half of a surrogate pair replaced by U+FFFD, in values and in keys. UTF-8 cannot carry such a half, so
 * an address made of it throws and a page with it differs between server and browser. All text that enters the hall passes here.
 * Returns the value itself if there is nothing to replace.
 */
export function wellFormed<Value>(value: Value): Value {
  // Only strings become other strings, so the type stays.
  return isWellFormed(value, deepest) ? value : (repaired(value, deepest) as Value);
}

/** Parses JSON text as `wellFormed` data. In text that was UTF-8, only an escape can hold a half. */
export function parseWellFormed(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return escapedSurrogate.test(text) ? wellFormed(value) : value;
}

const escapedSurrogate = /\\ud[89a-f]/i;

/** What is nested deeper is refused elsewhere, and a walk through it could exhaust the stack. */
const deepest = 1_000;

function isWellFormed(value: unknown, levels: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null || levels === 0) return true;
  if (Array.isArray(value)) return value.every((each) => isWellFormed(each, levels - 1));
  return Object.entries(value).every(([key, each]) => key.isWellFormed() && isWellFormed(each, levels - 1));
}

function repaired(value: unknown, levels: number): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((each) => repaired(each, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), repaired(each, levels - 1)]));
}
