import { existsSync } from "node:fs";
import type { Origins } from "../schema/environment.ts";
import type { HallOptions } from "../server/main.ts";
import { createLayout } from "../server/without-hall.ts";
import { chooseHome } from "./chosen-home.ts";
import { checkExposure, mergeSettings, readToken } from "./serve-settings.ts";
import type { ServeFlags } from "./serve-settings.ts";
import type { Shell } from "./shell.ts";
import { readVersion } from "./version.ts";

export type Prepared = { options: HallOptions; origins: Origins; warnings: string[]; isFirstStart: boolean };

/** From flags, environment, `.env.local` and `config.yaml` to what a hall is started with. Creates and changes nothing. */
export async function prepareHall(flags: ServeFlags, shell: Shell): Promise<Prepared> {
  const { machine, home, env, origins, warnings } = await chooseHome(flags.home, shell);
  const config = mergeSettings(await machine.config(home), flags, env);
  const token = readToken(env);
  checkExposure(config.host, token);
  return {
    options: { home, config, token, version: readVersion(), machine },
    origins,
    warnings,
    isFirstStart: !existsSync(createLayout(home).version),
  };
}
