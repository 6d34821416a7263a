import { hallFetch } from "../../../hall-fetch.ts";

export const dynamic = "force-dynamic";

/** The whole API is the hall's own handler; Next only carries requests to it and answers back, streams included. */
const handOver = (request: Request): Response | Promise<Response> => hallFetch()(request);

export { handOver as DELETE, handOver as GET, handOver as HEAD, handOver as PATCH, handOver as POST, handOver as PUT };
