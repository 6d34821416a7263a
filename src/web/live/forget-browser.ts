import { createHallClient } from "../../client/hall-client.ts";

/** Takes the person's cookie away from this browser. */
export const forgetBrowser = (): Promise<void> => createHallClient({ baseUrl: "" }).logout();
