import { HallError } from "./hall-error.ts";
import { wellFormed } from "./well-formed.ts";

/** As `JSON.parse`, with well-formed text, and refuses the one key that would be lost without a word: a copy of an object cannot have it. */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text, (key, value: unknown) => {
    if (key === "__proto__") throw new HallError("bad_request", 'Nothing can be called "__proto__" here. Choose another name for it.');
    return value;
  });
  return wellFormed(parsed);
}
