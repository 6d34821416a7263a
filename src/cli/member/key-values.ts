import { HallError } from "../../schema/hall-error.ts";
import { MemberCommand, VariableName } from "../../schema/manifest.ts";
import { checked } from "../checked.ts";

/** `KEY=VALUE`, as often as it was typed; the last one counts. */
export function keyValues(pairs: readonly string[] | undefined, flag: string): Record<string, string> {
  return Object.fromEntries(
    (pairs ?? []).map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new HallError("bad_request", `${flag} needs a name, an equals sign and a value, not ${JSON.stringify(pair)}.`);
      if (pair.startsWith("__proto__=")) throw new HallError("bad_request", `${flag} cannot set __proto__. Choose another name for it.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The same for the variables of a program. */
export function variables(pairs: readonly string[] | undefined): Record<string, string> {
  const given = keyValues(pairs, "--env");
  for (const name of Object.keys(given)) checked(VariableName, name, "What --env sets");
  return checked(MemberCommand.shape.env, given, "The value of --env");
}
