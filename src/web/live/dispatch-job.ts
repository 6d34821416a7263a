import { createHallClient } from "../../client/hall-client.ts";
import type { HallClient } from "../../client/hall-client.ts";

/** Hands a task to a worker. */
export const dispatchJob: HallClient["jobs"]["dispatch"] = (worker, job) => createHallClient({ baseUrl: "" }).jobs.dispatch(worker, job);
