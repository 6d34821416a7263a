import { setTimeout as pause } from "node:timers/promises";
import type { SessionId } from "../../src/schema/ids.ts";
import type { HallProcess } from "../../test/hall-process.ts";
import { timed } from "../timed.ts";

/** How long each took. */
export type PageTimes = { sessions: number[]; jobs: number[] };

/** Renames one session after the other, and reads a page of the sessions and one of the jobs in between, until it is ended. */
export function turnPages({ client }: Pick<HallProcess, "client">, ids: readonly SessionId[]) {
  const times: PageTimes = { sessions: [], jobs: [] };
  let isOver = false;
  const turning = (async () => {
    for (const id of ids) {
      if (isOver) return times;
      await client.sessions.change(id, { name: `Renamed ${times.jobs.length}` });
      times.sessions.push(await timed(() => client.sessions.list({ limit: 50 })));
      times.jobs.push(await timed(() => client.jobs.list({ worker: "archive", limit: 50 })));
      await pause(100);
    }
    return times;
  })();
  return {
    end(): Promise<PageTimes> {
      isOver = true;
      return turning;
    },
    /** Resolves when all of them are renamed. */
    whole: (): Promise<PageTimes> => turning,
  };
}
