import { lstat, readdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DiskPart } from "../../schema/disk.ts";
import type { DiskUsage } from "../../schema/disk.ts";
import { inBatches } from "./in-batches.ts";

export type MeasuredDisk = Omit<DiskUsage, "retention">;

export type DiskMeter = {
  /**
   * What the home folder takes: measured a while ago, or now. It waits only so long; what was not looked at by then is
   * told as not whole, goes on being measured, and is in a later answer.
   */
  usage(): Promise<MeasuredDisk>;
  close(): Promise<void>;
};

type MeterOptions = { home: string; waitMs?: number; goodForMs?: number };

const fiveMinutes = 300_000;

export function createDiskMeter({ home, waitMs = 1500, goodForMs = fiveMinutes }: MeterOptions): DiskMeter {
  let last: Walk | null = null;
  let current: Walk | null = null;

  function begin(): Walk {
    const walk = startWalk(home);
    void walk.done.then(() => ([last, current] = [walk, null]));
    return walk;
  }

  return {
    async usage() {
      const known = last;
      const walk = known !== null && Date.now() - known.began < goodForMs ? known : (current ??= begin());
      if (known === null) await Promise.race([walk.done, timeout(waitMs)]);
      // What was measured before says more than what is being measured.
      return measured(home, known ?? walk);
    },
    async close() {
      current?.stop();
      await current?.done;
    },
  };
}

type Part = DiskPart["name"];
type Sums = Record<Part, { bytes: number; files: number }>;
type Walk = { began: number; sums: Sums; isWhole: (part: Part) => boolean; stop(): void; done: Promise<void> };

/** What is usually small comes first, so that somebody who does not wait long learns most. No folder holds one of a part before its own. */
const order: readonly Part[] = ["state", "logs", "index", "members", "jobs", "agent", "transcripts", "sessions"];

const foldersAtOnce = 8;
const filesAtOnce = 8;

/** Looks at every file of a home, a few at a time. What comes or goes meanwhile is counted or not. */
function startWalk(home: string): Walk {
  const sums = recordOf(() => ({ bytes: 0, files: 0 }));
  const waiting = recordOf((): string[][] => []);
  const whole = new Set<Part>();
  let isStopped = false;

  async function lookInto(place: readonly string[]): Promise<void> {
    const entries = await readdir(join(home, ...place), { withFileTypes: true }).catch(() => []);
    await inBatches(entries, filesAtOnce, async (entry) => {
      const at = [...place, entry.name];
      const part = partOf(at);
      if (entry.isDirectory()) waiting[part].push(at);
      const found = await lstat(join(home, ...at)).catch(() => null);
      sums[part].bytes += (found?.blocks ?? 0) * blockSize;
      if (!entry.isDirectory()) sums[part].files += 1;
    });
  }

  async function walk(): Promise<void> {
    await lookInto([]);
    for (const part of order) {
      while (waiting[part].length > 0 && !isStopped) await Promise.all(waiting[part].splice(-foldersAtOnce).map(lookInto));
      if (!isStopped) whole.add(part);
    }
  }

  return { began: Date.now(), sums, isWhole: (part) => whole.has(part), stop: () => (isStopped = true), done: walk() };
}

/** One of each, so the record is complete. */
const recordOf = <Value>(make: () => Value): Record<Part, Value> =>
  Object.fromEntries(DiskPart.shape.name.options.map((name) => [name, make()])) as Record<Part, Value>;

const blockSize = 512;

/** Which part a file belongs to, by the names on the way to it. */
function partOf([first = "", second, third, fourth]: readonly string[]): Part {
  if (first === "claude") return second === "config" && third === "projects" ? "transcripts" : "agent";
  // A member may lie in a collection, one folder deeper.
  if (first === "guild-members") return third === "jobs" || fourth === "jobs" ? "jobs" : "members";
  return partsByFolder[first] ?? "state";
}

const partsByFolder: Readonly<Record<string, Part>> = { sessions: "sessions", ".index": "index", logs: "logs" };

async function measured(home: string, { began, sums, isWhole }: Walk): Promise<MeasuredDisk> {
  return {
    measuredAt: new Date(began).toISOString(),
    freeBytes: await freeBytes(home),
    parts: DiskPart.shape.name.options.map((name) => ({ name, ...sums[name], isWhole: isWhole(name) })),
  };
}

/** The home folder may not exist yet; it will lie on the disk of the nearest folder that does. */
async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (dirname(path) === path) throw error;
    return freeBytes(dirname(path));
  }
}

const timeout = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());
