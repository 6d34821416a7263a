import { createHallClient } from "../client/hall-client.ts";
import type { HallClient } from "../client/hall-client.ts";
import { hallFetch } from "./hall-fetch.ts";

/** The hall, for pages: the same client the browser uses, straight into the handler of this process. */
export function hall(): HallClient {
  const answer = hallFetch();
  return createHallClient({ baseUrl: "", fetch: async (input, init) => answer(new Request(input, init)) });
}
