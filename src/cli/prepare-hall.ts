import { existsSync } from "node:fs";
import type { HallOptions } from "../server/main.ts";
import { createLayout } from "../server/without-hall.ts";
import type { Machine } from "../server/without-hall.ts";
import { checkExposure, homeFolder, mergeSettings, readToken } from "./serve-settings.ts";
import type { ServeFlags } from "./serve-settings.ts";
import { readVersion } from "./version.ts";

export type Prepared = { options: HallOptions; warnings: string[]; isFirstStart: boolean };

/** From flags, environment, `.env.local` and `config.yaml` to what a hall is started with. Creates and changes nothing. */
export async function prepareHall(flags: ServeFlags, machine: Machine, folder: string): Promise<Prepared> {
  const { env, warnings } = await machine.environment();
  const home = homeFolder(flags.home, env, folder);
  const config = mergeSettings(await machine.config(home), flags, env);
  const token = readToken(env);
  checkExposure(config.host, token);
  return {
    options: { home, config, token, version: readVersion(), machine },
    warnings,
    isFirstStart: !existsSync(createLayout(home).version),
  };
}
