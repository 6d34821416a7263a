import { createHallClient } from "../../client/hall-client.ts";
import type { HallClient } from "../../client/hall-client.ts";

/** Has the hall look for credentials again, without a restart. */
export const findModel: HallClient["findModel"] = () => createHallClient({ baseUrl: "" }).findModel();
