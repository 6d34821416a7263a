import { createHallClient } from "../client/hall-client.ts";
import type { HallClient } from "../client/hall-client.ts";
import { HallError } from "../schema/hall-error.ts";
import { createMachine } from "../server/without-hall.ts";
import { patientFetch } from "./patient-fetch.ts";
import { homeFolder, readToken } from "./serve-settings.ts";
import type { Shell } from "./shell.ts";

export type FoundHall = { home: string; pid: number; url: string; client: HallClient };

/** The hall that runs on a home folder, ready to be asked. Every command that talks to a hall starts here. */
export async function findHall(homeFlag: string | undefined, shell: Shell): Promise<FoundHall> {
  const folder = shell.cwd();
  const machine = createMachine({ env: shell.env, folder });
  const { env } = await machine.environment();
  const home = homeFolder(homeFlag, env, folder);
  const hall = await machine.hall(home);
  if (hall === null) throw new HallError("hall_unreachable", `No hall is open on ${home}. Open one with: guild-hall serve`);
  if (hall.address === null) {
    throw new HallError("hall_unreachable", `The hall on ${home} (process ${hall.pid}) is still starting. Try again in a moment.`);
  }
  const token = (await machine.personKey(home)) ?? readToken(env);
  return {
    home,
    pid: hall.pid,
    url: hall.address,
    client: createHallClient({ baseUrl: hall.address, fetch: patientFetch, ...(token === null ? {} : { token }) }),
  };
}
