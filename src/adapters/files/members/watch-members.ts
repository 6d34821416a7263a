import type { Layout } from "../layout.ts";
import { createFolderWatches } from "./folder-watches.ts";
import { isVisible } from "./stamp-folders.ts";
import type { FolderStamps } from "./stamp-folders.ts";

export type MemberWatchDeps = {
  layout: Layout;
  look: () => Promise<FolderStamps>;
  /** How often to look anyway: not every disk tells of changes, and machines allow few watches. */
  pollMs: number;
  onProblem: (error: unknown) => void;
  /** After each look, with what tells one state of the folders from another. */
  onLook: (stamp: string) => void;
};

/** Looks again soon after something changed in the folders that matter, and now and then in any case. A member's work is never watched. */
export function watchMembers({ layout, look, pollMs, onProblem, onLook }: MemberWatchDeps): () => void {
  const watches = createFolderWatches(onProblem, lookSoon);
  let isOver = false;
  let soon: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();

  /** An editor saves in several steps, and a copied folder comes file by file. */
  function lookSoon(): void {
    soon ??= setTimeout(() => {
      soon = null;
      looking = looking.then(lookNow);
    }, 100);
  }

  async function lookNow(): Promise<void> {
    if (isOver) return;
    try {
      const { stamp, folders } = await look();
      if (isOver) return;
      const isNews = watches.keepOnly(folders);
      onLook(stamp);
      // What happened in a folder before its watch began was told to nobody.
      if (isNews) lookSoon();
    } catch (error) {
      onProblem(error);
    }
  }

  watches.keepOnly(new Map([[layout.guildMembers, { inode: "", matters: isVisible }]]));
  lookSoon();
  const poll = setInterval(lookSoon, pollMs).unref();

  return () => {
    isOver = true;
    clearInterval(poll);
    if (soon !== null) clearTimeout(soon);
    watches.keepOnly(new Map());
  };
}
