import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../file-failure.ts";
import { stampOfPath } from "../index/truth.ts";
import type { Layout } from "../layout.ts";
import { manifestName } from "./manifest-file.ts";
import { inParallel, memberPlaces } from "./scan-members.ts";
import type { MemberPlace } from "./scan-members.ts";

export type MemberWatchDeps = {
  layout: Layout;
  /** How often to look anyway: not every disk tells of changes, and machines allow few watches. */
  pollMs: number;
  onProblem: (error: unknown) => void;
  /** After each look, with what tells one state of the folders from another. */
  onLook: (stamp: string) => void;
};

/** Looks again soon after something changed in the folders that matter, and now and then in any case. A member's work is never watched. */
export function watchMembers({ layout, pollMs, onProblem, onLook }: MemberWatchDeps): () => void {
  const watchers = createFolderWatchers(onProblem);
  let isOver = false;
  let soon: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();

  const lookSoon = () => {
    // An editor saves in several steps, and a copied folder comes file by file.
    soon ??= setTimeout(() => {
      soon = null;
      looking = looking.then(look);
    }, 100);
  };

  async function look(): Promise<void> {
    if (isOver) return;
    try {
      const { stamp, folders } = await stampFolders(layout);
      if (isOver) return;
      const isNews = watchers.keepOnly(folders, lookSoon);
      onLook(stamp);
      // What happened in a folder before its watch began was told to nobody.
      if (isNews) lookSoon();
    } catch (error) {
      onProblem(error);
    }
  }

  watchers.keepOnly(new Map([[layout.guildMembers, { stamp: "", matters: isVisible }]]), lookSoon);
  lookSoon();
  const poll = setInterval(lookSoon, pollMs).unref();

  return () => {
    isOver = true;
    clearInterval(poll);
    if (soon !== null) clearTimeout(soon);
    watchers.keepOnly(new Map(), lookSoon);
  };
}

type WatchedFolder = { stamp: string; matters: (name: string) => boolean };

/** How everything that a scan looks at is now, and which folders to watch for a change of it. */
export async function stampFolders({ guildMembers }: Layout): Promise<{ stamp: string; folders: Map<string, WatchedFolder> }> {
  const folders = new Map<string, WatchedFolder>([[guildMembers, { stamp: await inodeOf(guildMembers), matters: isVisible }]]);
  const stampOne = async (place: MemberPlace): Promise<string[]> => {
    const manifest = await stampOfPath(join(place.path, manifestName));
    folders.set(place.path, { stamp: await inodeOf(place.path), matters: manifest === null ? isVisible : (name) => name === manifestName });
    return [place.folder, place.lost ?? "", manifest ?? ""];
  };
  const stamps = await inParallel(await memberPlaces(guildMembers), async (place) => {
    const own = await stampOne(place);
    // A folder without a manifest may be a collection, or a member that is not finished.
    if (own[2] !== "" || place.lost !== null) return own;
    const inside = await memberPlaces(guildMembers, place.folder).catch(() => []);
    return [...own, (await stampOfPath(place.path)) ?? "", ...(await inParallel(inside, stampOne)).flat()];
  });
  return { stamp: JSON.stringify(stamps), folders };
}

const isVisible = (name: string): boolean => !name.startsWith(".") && name !== "node_modules";

/** A folder that was put in place of another has the same path and is not the one that is watched. */
async function inodeOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? "" : String(found.ino);
}

/** Machines allow few watches; what is beyond them is found by looking. */
const mostWatches = 512;

function createFolderWatchers(onProblem: (error: unknown) => void) {
  const watched = new Map<string, { stamp: string; matters: WatchedFolder["matters"]; watcher: FSWatcher }>();
  let isPossible = true;

  function begin(path: string, onName: (name: string) => void): FSWatcher | null {
    try {
      return watch(path, { persistent: false }, (_kind, name) => onName(name ?? "")).on("error", onProblem);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return null;
      // Looking now and then still finds everything, only later. Saying so once is enough.
      isPossible = false;
      onProblem(error);
      return null;
    }
  }

  return {
    /** Watches exactly these; answers whether there was a new one. */
    keepOnly(folders: ReadonlyMap<string, WatchedFolder>, onChange: () => void): boolean {
      for (const [path, { stamp, watcher }] of watched) {
        if (folders.get(path)?.stamp === stamp) continue;
        watcher.close();
        watched.delete(path);
      }
      let isNews = false;
      for (const [path, { stamp, matters }] of folders) {
        const known = watched.get(path);
        if (known !== undefined) known.matters = matters;
        if (known !== undefined || !isPossible || watched.size >= mostWatches) continue;
        const watcher = begin(path, (name) => (watched.get(path)?.matters(name) ?? true) && onChange());
        if (watcher === null) continue;
        watched.set(path, { stamp, matters, watcher });
        isNews = true;
      }
      return isNews;
    },
  };
}
