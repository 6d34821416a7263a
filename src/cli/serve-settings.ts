import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { z } from "zod";
import { Host, ModelName, Port } from "../schema/config.ts";
import type { Config } from "../schema/config.ts";
import type { Environment } from "../schema/environment.ts";
import { longestToken } from "../schema/token.ts";
import { HallError } from "../schema/hall-error.ts";
import { isLoopback } from "../schema/loopback.ts";

/** What was typed after the command, not yet looked at. */
export type ServeFlags = { home?: string; port?: string; host?: string; model?: string };

/** Flags beat the environment, and the environment beats `config.yaml`. */
export function mergeSettings(config: Config, flags: ServeFlags, env: Environment): Config {
  return {
    ...config,
    host: chosen(Host, ["--host", flags.host], ["GUILD_HALL_HOST", env["GUILD_HALL_HOST"]]) ?? config.host,
    port: chosen(Port, ["--port", asNumber(flags.port)], ["GUILD_HALL_PORT", asNumber(env["GUILD_HALL_PORT"])]) ?? config.port,
    model: chosen(ModelName, ["--model", flags.model], ["GUILD_HALL_MODEL", env["GUILD_HALL_MODEL"]]) ?? config.model,
  };
}

export function homeFolder(flag: string | undefined, env: Environment, folder: string): string {
  if (flag?.trim() === "") throw new HallError("bad_request", "--home needs the path of a folder.");
  return resolve(folder, flag ?? (env["GUILD_HALL_HOME"] || join(homedir(), ".guild-hall")));
}

/** An empty token is a mistake (an unset variable in a script), and taking it as "no token" would open the hall. */
export function readToken(env: Environment): string | null {
  const token = env["GUILD_HALL_TOKEN"];
  if (token === undefined) return null;
  if (token.length > longestToken) {
    throw new HallError(
      "invalid_config",
      `GUILD_HALL_TOKEN has ${token.length} characters, and a browser can log in with at most ${longestToken}. Give it a shorter random value: openssl rand -hex 32`,
    );
  }
  if (token.trim() !== "") return token;
  throw new HallError("invalid_config", "GUILD_HALL_TOKEN is set but empty. Give it a long random value, or unset it.");
}

export function checkExposure(host: string, token: string | null): void {
  if (isLoopback(host) || token !== null) return;
  throw new HallError(
    "invalid_config",
    `Listening on ${host} would let other machines command this hall. Set GUILD_HALL_TOKEN to a long random value, or listen on 127.0.0.1.`,
  );
}

type Given = readonly [name: string, value: unknown];

/** An empty environment variable counts as not given; an empty flag is a mistake. */
function chosen<Schema extends z.ZodType>(schema: Schema, flag: Given, variable: Given): z.infer<Schema> | undefined {
  const [name, value] = flag[1] === undefined ? variable : flag;
  if (value === undefined || (value === "" && flag[1] === undefined)) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HallError("invalid_config", `${name} ${parsed.error.issues[0]?.message ?? "is not valid"}, not ${JSON.stringify(value)}.`);
}

const asNumber = (text: string | undefined): unknown => (text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : text);
