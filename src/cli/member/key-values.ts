import { HallError } from "../../schema/hall-error.ts";

/** `KEY=VALUE`, as often as it was typed; the last one counts. */
export function keyValues(pairs: readonly string[] | undefined, flag: string): Record<string, string> {
  return Object.fromEntries(
    (pairs ?? []).map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new HallError("bad_request", `${flag} needs a name, an equals sign and a value, not ${JSON.stringify(pair)}.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
