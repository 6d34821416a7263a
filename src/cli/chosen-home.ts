import { createMachine } from "../server/without-hall.ts";
import type { LayeredEnvironment, Machine } from "../server/without-hall.ts";
import { homeFolder } from "./serve-settings.ts";
import type { Shell } from "./shell.ts";

export type ChosenHome = LayeredEnvironment & { machine: Machine; home: string };

/** The home a command works on, and the environment that holds there. */
export async function chooseHome(flag: string | undefined, shell: Shell): Promise<ChosenHome> {
  const folder = shell.cwd();
  const machine = createMachine({ env: shell.env, folder });
  const home = homeFolder(flag, (await machine.environment(null)).env, folder);
  return { machine, home, ...(await machine.environment(home)) };
}
