import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HallOptions } from "../server/start-hall.ts";
import { readConfig, readEnvironment } from "../server/without-hall.ts";
import { checkExposure, homeFolder, mergeSettings, readToken } from "./serve-settings.ts";
import type { ServeFlags } from "./serve-settings.ts";
import { readVersion } from "./version.ts";

export type Place = { env: NodeJS.ProcessEnv; folder: string };

export type Prepared = { options: HallOptions; warnings: string[]; isFirstStart: boolean };

/** From flags, environment, `.env.local` and `config.yaml` to what a hall is started with. Creates and changes nothing. */
export async function prepareHall(flags: ServeFlags, { env: real, folder }: Place): Promise<Prepared> {
  const { env, warnings } = await readEnvironment(real, folder);
  const home = homeFolder(flags.home, env, folder);
  const config = mergeSettings(await readConfig(home), flags, env);
  const token = readToken(env);
  checkExposure(config.host, token);
  return {
    options: { home, config, token, version: readVersion(), readEnvironment: async () => (await readEnvironment(real, folder)).env },
    warnings,
    isFirstStart: !existsSync(join(home, "version")),
  };
}
