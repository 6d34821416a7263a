import { delimiter, isAbsolute, join } from "node:path";
import { Config } from "../../schema/config.ts";
import type { Environment } from "../../schema/environment.ts";
import { HallError } from "../../schema/hall-error.ts";
import { homeFolder, mergeSettings } from "../serve-settings.ts";
import type { ServeFlags } from "../serve-settings.ts";

/** What a service manager is told. Nothing in it is secret: what a service is made of can be read by others, and ends up in logs. */
export type ServicePlan = {
  /** The program and its arguments, every path absolute. */
  command: readonly [program: string, ...args: string[]];
  /** Also the working directory of the service. */
  home: string;
  host: string;
  /** The file for keys and other variables. */
  keys: string;
  /** Where members and agents find programs: a service manager knows fewer places than a shell. Empty where nothing is known. */
  searchPath: string;
};

/** The Node that runs Guild Hall, and the file it runs. */
export type Installation = { node: string; launcher: string };

type Planned = { flags: ServeFlags; env: Environment; folder: string; installation: Installation };

/** What was given goes into the service; what was not stays with `config.yaml`, where it can be changed without a new service. */
export function planService({ flags, env, folder, installation: { node, launcher } }: Planned): ServicePlan {
  const home = homeFolder(flags.home, env, folder);
  const settings = mergeSettings(Config.parse({}), flags, env);
  const given = (["host", "port", "model"] as const).filter((name) => (flags[name] ?? env[inCommand[name]] ?? "") !== "");
  const args = ["serve", "--home", home, ...given.flatMap((name) => [`--${name}`, String(settings[name])])];
  for (const word of [node, launcher, ...args]) mustBePlain(word);
  return {
    command: [node, launcher, ...args],
    home,
    host: settings.host,
    keys: join(home, ".env.local"),
    searchPath: searchPathFrom(env["PATH"] ?? ""),
  };
}

/** The variables that a service has as arguments. */
export const inCommand = { home: "GUILD_HALL_HOME", host: "GUILD_HALL_HOST", port: "GUILD_HALL_PORT", model: "GUILD_HALL_MODEL" } as const;

/** Neither kind of file can hold these in every place. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/u;

function mustBePlain(word: string): void {
  if (!unprintable.test(word)) return;
  throw new HallError("bad_request", `A service cannot name ${JSON.stringify(word)}: there is a line break or a control character in it.`);
}

/** Without what npm puts in front of it for the one command it runs. */
function searchPathFrom(path: string): string {
  const parts = path.split(delimiter).filter((part) => isAbsolute(part) && !unprintable.test(part) && !ofNpm.test(part));
  return [...new Set(parts)].join(delimiter);
}

const ofNpm = /[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/;
