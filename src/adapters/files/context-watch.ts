import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { systemCode } from "../system-code.ts";

type Watching = {
  /** The content that is there by our own hand. */
  know(etag: string): void;
  close(): void;
};

type WatchDeps = { etag: () => Promise<string>; onChange: () => void; onProblem: (error: unknown) => void };

/** Editors write in several steps; one look after they paused is enough. */
const pauseMs = 60;

/** Watches one file through its folder, because most editors put a new file in its place. */
export function watchContext(path: string, { etag, onChange, onProblem }: WatchDeps): Watching {
  /** Null until somebody wrote: the first change is news whatever was there, because it may come before it could be read. */
  let known: string | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  // What cannot be read counts as a content of its own, so that both its coming and its going are told.
  const look = () => etag().catch(() => "unreadable");

  async function compare(): Promise<void> {
    const found = await look();
    if (isClosed || found === known) return;
    known = found;
    onChange();
  }

  const watcher = begin(path, onProblem, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void compare(), pauseMs).unref();
  });

  return {
    know: (now) => void (known = now),
    close() {
      isClosed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

function begin(path: string, onProblem: (error: unknown) => void, onEvent: () => void) {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_kind, file) => {
      if (file === null || file === basename(path)) onEvent();
    });
    return watcher.on("error", onProblem);
  } catch (error) {
    // Machines allow only so many watches. Without one the file is still read at each query and whenever somebody asks.
    if (systemCode(error) !== "ENOENT") onProblem(error);
    return null;
  }
}
