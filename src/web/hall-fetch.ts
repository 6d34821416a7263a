import { hallFetchKey } from "../schema/hall-key.ts";

export type HallFetch = (request: Request) => Response | Promise<Response>;

/** The handler that the server left for us in this process before it started Next. */
export function hallFetch(): HallFetch {
  const found: unknown = Reflect.get(globalThis, hallFetchKey);
  if (!isHallFetch(found)) throw new Error("The pages run without a hall. Start them with: guild-hall serve");
  return found;
}

const isHallFetch = (value: unknown): value is HallFetch => typeof value === "function";
