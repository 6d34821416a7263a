import { readConfig as readConfigFile } from "../adapters/files/config-file.ts";
import { createLayout } from "../adapters/files/layout.ts";
import type { Config } from "../schema/config.ts";

export { readEnvironment } from "../adapters/files/env-file.ts";

/** What commands learn about this machine before a hall runs, or while none does. */
export const readConfig = (home: string): Promise<Config> => readConfigFile(createLayout(home).config);
