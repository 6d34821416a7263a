import { createHallClient } from "../../client/hall-client.ts";
import type { HallClient } from "../../client/hall-client.ts";

/** Puts a member into the Roster, whose program the hall starts then. */
export const addMember: HallClient["roster"]["add"] = (member) => createHallClient({ baseUrl: "" }).roster.add(member);

export const restartMember: HallClient["roster"]["restart"] = (name) => createHallClient({ baseUrl: "" }).roster.restart(name);
