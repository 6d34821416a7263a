import { createHallClient } from "../client/hall-client.ts";
import type { HallClient } from "../client/hall-client.ts";
import { HallError } from "../schema/hall-error.ts";
import { isLoopback } from "../schema/loopback.ts";
import type { Machine } from "../server/without-hall.ts";
import { chooseHome } from "./chosen-home.ts";
import { patientFetch } from "./patient-fetch.ts";
import { createPrinter } from "./printer.ts";
import { safeText } from "./safe-text.ts";
import { readToken } from "./serve-settings.ts";
import type { Shell } from "./shell.ts";

export type FoundHall = { machine: Machine; home: string; pid: number; url: string; client: HallClient };

/** The hall that runs on a home folder, ready to be asked. Every command that talks to a hall starts here. */
export async function findHall(homeFlag: string | undefined, shell: Shell): Promise<FoundHall> {
  const { machine, home, env, warnings } = await chooseHome(homeFlag, shell);
  const printer = createPrinter({ isJson: false, shell });
  for (const warning of warnings) printer.warn(safeText(warning));
  const hall = await machine.hall(home);
  if (hall === null) throw new HallError("hall_unreachable", `No hall is open on ${home}. Open one with: guild-hall serve`);
  if (hall.address === null) {
    throw new HallError("hall_unreachable", `The hall on ${home} (process ${hall.pid}) is still starting. Try again in a moment.`);
  }
  if (!hall.isOfThisPlace && !isOnThisMachine(hall.address)) {
    throw new HallError(
      "hall_unreachable",
      `${home} names a hall at ${hall.address}, on another machine or in another folder. Nothing was sent there, because a key goes only to a hall of this machine. Run the command where that hall runs.`,
    );
  }
  // A stranger on this machine may answer at an address that was planted.
  const token = (await machine.personKey(home)) ?? (hall.isOfThisPlace ? readToken(env) : null);
  const fetch: typeof globalThis.fetch = async (...request) => {
    const response = await patientFetch(...request);
    if (response.status === 403 && token === null) printer.warn(`${home} has no person.key. Restart the hall: it makes a new one.`);
    return response;
  };
  return {
    machine,
    home,
    pid: hall.pid,
    url: hall.address,
    client: createHallClient({ baseUrl: hall.address, fetch, ...(token === null ? {} : { token }) }),
  };
}

/** A planted record can name any address. These reach no other machine. */
function isOnThisMachine(address: string): boolean {
  const name = URL.parse(address)?.hostname;
  return name !== undefined && (isLoopback(name) || name === "0.0.0.0" || name === "[::]");
}
