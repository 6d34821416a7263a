export type JsonObject = Readonly<Record<string, unknown>>;

/** Keys and positions from the top of the input. */
export type Path = readonly (string | number)[];

export const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, step) => {
    if (isList(inside)) return typeof step === "number" ? inside[step] : undefined;
    return isObject(inside) && Object.hasOwn(inside, step) ? inside[String(step)] : undefined;
  }, value);
}

/** The value with one place changed. `undefined` leaves that place out: a key goes, a list closes up. */
export function withValueAt(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  const inside = withValueAt(valueAt(value, [step]), rest, next);
  if (typeof step === "number") {
    const items: unknown[] = isList(value) ? [...value] : [];
    if (inside === undefined) items.splice(step, 1);
    else items[step] = inside;
    return items;
  }
  const entries = isObject(value) ? Object.entries(value) : [];
  if (inside === undefined) return fromEntries(entries.filter(([key]) => key !== step));
  const isThere = entries.some(([key]) => key === step);
  return fromEntries(isThere ? entries.map(([key, old]) => [key, key === step ? inside : old]) : [...entries, [step, inside]]);
}

/** A key named `__proto__` becomes a key like any other, as it is in JSON. */
export const fromEntries = (entries: Iterable<readonly [string, unknown]>): JsonObject => Object.fromEntries(entries);

/** A JSON pointer: names a place in the input in one text. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** `session.role`, `rows[2]`: a place as people write it. */
export const wordsOf = (path: Path): string =>
  path.map((step, position) => (typeof step === "number" ? `[${step}]` : `${position === 0 ? "" : "."}${step}`)).join("");

/** Reads a pointer with the value it points into, which knows what is a list and what is an object. */
export function pathOf(pointer: string, value: unknown): Path {
  const path: (string | number)[] = [];
  for (const part of pointer.split("/").slice(1)) {
    const step = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(isList(valueAt(value, path)) && /^\d+$/.test(step) ? Number(step) : step);
  }
  return path;
}
