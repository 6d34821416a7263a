import type { Environment } from "../../schema/environment.ts";
import { isLoopback } from "../../schema/loopback.ts";
import { isHallVariable } from "../../server/without-hall.ts";
import { inCommand } from "./service-plan.ts";
import type { ServicePlan } from "./service-plan.ts";

/** What a service would lack that this shell has. `there` is what stands in its file of keys already. Names only, never a value. */
export function serviceWarnings({ command, host, keys }: ServicePlan, env: Environment, there: Environment): string[] {
  const has = (name: string) => (there[name] ?? "") !== "";
  const told = new Set<string>([...Object.values(inCommand), "GUILD_HALL_DEBUG"]);
  const missing = Object.keys(env).filter((name) => isHallVariable(name) && !told.has(name) && (env[name] ?? "") !== "" && !has(name));
  return [
    ...(command.some((word) => /[\\/]_npx[\\/]/.test(word)) ? [inCache] : []),
    ...(isLoopback(host) || has("GUILD_HALL_TOKEN") ? [] : [`on ${host} the hall starts only with a GUILD_HALL_TOKEN in ${keys}.`]),
    ...(missing.length === 0
      ? []
      : [`the service has none of the variables of this shell. Write those it needs into ${keys}: ${missing.toSorted().join(", ")}.`]),
  ];
}

const inCache =
  "this copy of Guild Hall lies in the cache of npx, which npm empties when it likes. Install it somewhere, and print the service from there.";
