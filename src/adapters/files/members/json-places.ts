export type JsonPlaces = {
  /** The line, from 1, of what is at that path; what is missing stands where its parent does. */
  lineOf(path: readonly PropertyKey[]): number;
  has(path: readonly PropertyKey[]): boolean;
  /** Keys that an object has twice. JSON would silently take the last. */
  repeated: { key: string; line: number }[];
};

/** Where things stand in a text that is valid JSON. Null where it is nested deeper than anybody writes by hand. */
export function findPlaces(text: string, mostDepth = 32): JsonPlaces | null {
  const lines = new Map<string, number>();
  const repeated: JsonPlaces["repeated"] = [];
  /** The keys and positions that lead to where the reading is; an object between two entries has none. */
  const open: { isObject: boolean; at: string | number | null }[] = [];
  let line = 1;

  const note = () => lines.set(placeKey(open.map(({ at }) => at ?? "")), line);

  for (const [token] of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === "\n") line += 1;
    else if (token === "}" || token === "]") open.pop();
    else if (token === ",") {
      if (inside !== undefined) inside.at = typeof inside.at === "number" ? inside.at + 1 : null;
    } else if (inside?.isObject === true && inside.at === null) {
      const key = String(JSON.parse(token));
      inside.at = key;
      if (lines.has(placeKey(open.map(({ at }) => at ?? "")))) repeated.push({ key, line });
      note();
    } else {
      if (inside?.isObject !== true) note();
      if (token === "{" || token === "[") open.push({ isObject: token === "{", at: token === "{" ? null : 0 });
      if (open.length > mostDepth) return null;
    }
  }

  return {
    repeated,
    has: (path) => lines.has(placeKey(path)),
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const found = lines.get(placeKey(path.slice(0, length)));
        if (found !== undefined) return found;
      }
      return lines.get(placeKey([])) ?? 1;
    },
  };
}

/** Strings, brackets, commas, line breaks, and everything else that is a value. Colons and blanks say nothing. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],\n]|[^\s"{}[\],:]+/g;

const placeKey = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));
