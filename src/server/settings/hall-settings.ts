import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { readConfig } from "../../adapters/files/config-file.ts";
import { readEnvironment } from "../../adapters/files/env-file.ts";
import { Host, ModelName, Port } from "../../schema/config.ts";
import type { Config } from "../../schema/config.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { z } from "zod";

/** What was typed after `guild-hall serve`, not yet looked at. */
export type ServeFlags = { home?: string; port?: string; host?: string; model?: string };

export type HallSettings = {
  home: string;
  host: string;
  port: number;
  token: string | null;
  model: string | null;
  config: Config;
  env: NodeJS.ProcessEnv;
  /** Where `.env.local` was looked for. */
  folder: string;
  warnings: string[];
};

type Sources = { flags: ServeFlags; env: NodeJS.ProcessEnv; folder: string };

/** Flags beat the environment, the environment beats `.env.local`, and that beats `config.yaml`. */
export async function readSettings({ flags, env: real, folder }: Sources): Promise<HallSettings> {
  const { env, warnings } = await readEnvironment(real, folder);
  const home = homeFolder(flags.home, env, folder);
  const config = await readConfig(join(home, "config.yaml"));
  const host = chosen(Host, ["--host", flags.host], ["GUILD_HALL_HOST", env["GUILD_HALL_HOST"]]) ?? config.host;
  const port = chosen(Port, ["--port", asNumber(flags.port)], ["GUILD_HALL_PORT", asNumber(env["GUILD_HALL_PORT"])]) ?? config.port;
  const model = chosen(ModelName, ["--model", flags.model], ["GUILD_HALL_MODEL", env["GUILD_HALL_MODEL"]]) ?? config.model;
  const token = readToken(env);
  if (!isLoopback(host) && token === null) throw openWithoutToken(host);
  return { home, host, port, token, model, config, env, folder, warnings };
}

export function homeFolder(flag: string | undefined, env: NodeJS.ProcessEnv, folder: string): string {
  if (flag?.trim() === "") throw new HallError("bad_request", "--home needs the path of a folder.");
  return resolve(folder, flag ?? (env["GUILD_HALL_HOME"] || join(homedir(), ".guild-hall")));
}

/** An empty token is a mistake (an unset variable in a script), and taking it as "no token" would open the hall. */
export function readToken(env: NodeJS.ProcessEnv): string | null {
  const token = env["GUILD_HALL_TOKEN"];
  if (token === undefined) return null;
  if (token.trim() !== "") return token;
  throw new HallError("invalid_config", "GUILD_HALL_TOKEN is set but empty. Give it a long random value, or unset it.");
}

export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

type Given<Value> = readonly [name: string, value: Value | undefined];

/** The first of the two that was given. An empty environment variable counts as not given; an empty flag is a mistake. */
function chosen<Schema extends z.ZodType>(schema: Schema, flag: Given<unknown>, variable: Given<unknown>): z.infer<Schema> | undefined {
  const [name, value] = flag[1] === undefined ? variable : flag;
  if (value === undefined || (value === "" && flag[1] === undefined)) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HallError("invalid_config", `${name} ${parsed.error.issues[0]?.message ?? "is not valid"}, not ${JSON.stringify(value)}.`);
}

const asNumber = (text: string | undefined): unknown => (text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : text);

const openWithoutToken = (host: string): HallError =>
  new HallError(
    "invalid_config",
    `Listening on ${host} would let other machines command this hall. Set GUILD_HALL_TOKEN to a long random value, or listen on 127.0.0.1.`,
  );
