import { stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { createTurns } from "../../core/in-turn.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import { systemCode } from "../system-code.ts";
import type { Layout } from "./layout.ts";
import { namesIn } from "./names-in.ts";

const most = { ofSession: 32, ofHall: 128 };
const idleAfterMs = 60_000;
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * Bounds how many files are on their way in. At the limit, the file whose last piece is oldest is removed if that piece came a minute
 * ago or more. A file from before the start of this hall is removed at once.
 */
export function createUploadRoom(layout: Pick<Layout, "uploads">, now: () => number) {
  const inTurn = createTurns<"room">();
  /** When the last piece of each file came. */
  const touched = new Map<string, number>();

  async function remove(path: string): Promise<void> {
    touched.delete(path);
    await unlink(path).catch(unlessGone);
  }

  async function makeRoom(paths: string[], limit: number, where: string): Promise<void> {
    if (paths.length < limit) return;
    const since = (path: string): number => touched.get(path) ?? -Infinity;
    const [longest] = paths.toSorted((a, b) => (since(a) === since(b) ? 0 : since(a) - since(b)));
    if (longest === undefined || now() - since(longest) < idleAfterMs)
      throw new HallError("conflict", `${limit} files are being sent ${where} already. Wait until one of them has arrived.`);
    await remove(longest);
  }

  const comingFiles = async (): Promise<string[]> => (await namesIn(layout.uploads)).map((name) => join(layout.uploads, name));

  return {
    touch: (path: string): void => void touched.set(path, now()),
    remove,
    /** Calls `create` when there is room for one more file of the session. */
    enter: (session: SessionId, create: () => Promise<void>): Promise<void> =>
      inTurn("room", async () => {
        const ofSession = (path: string): boolean => path.startsWith(join(layout.uploads, `${session}.`));
        await makeRoom((await comingFiles()).filter(ofSession), most.ofSession, "to this session");
        await makeRoom(await comingFiles(), most.ofHall, "to this hall");
        await create();
      }),
    /** Removes what has had no piece for an hour. */
    async sweep(): Promise<void> {
      for (const path of await comingFiles()) if ((await ageOf(path)) > abandonedAfterMs) await remove(path);
    },
  };
}

async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    unlessGone(error);
    return 0;
  }
}

function unlessGone(error: unknown): void {
  if (systemCode(error) !== "ENOENT") throw error;
}
