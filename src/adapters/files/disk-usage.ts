import { lstat, readdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DiskPart } from "../../schema/disk.ts";
import type { DiskUsage } from "../../schema/disk.ts";
import { inBatches } from "./index/truth.ts";

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
type Walk = { began: number; sums: Sums; isWhole: () => boolean; stop(): void; done: Promise<void> };

const foldersAtOnce = 8;
const filesAtOnce = 8;

/** Looks at every file of a home, a few at a time. What comes or goes meanwhile is counted or not. */
function startWalk(home: string): Walk {
  const sums = Object.fromEntries(DiskPart.shape.name.options.map((name) => [name, { bytes: 0, files: 0 }])) as Sums; // one of each
  let isWhole = false;
  let isStopped = false;

  const waiting: string[][] = [[]];

  async function lookInto(place: readonly string[]): Promise<void> {
    const entries = await readdir(join(home, ...place), { withFileTypes: true }).catch(() => []);
    await inBatches(entries, filesAtOnce, async (entry) => {
      const at = [...place, entry.name];
      if (entry.isDirectory()) waiting.push(at);
      const found = await lstat(join(home, ...at)).catch(() => null);
      const sum = sums[partOf(at)];
      sum.bytes += (found?.blocks ?? 0) * blockSize;
      if (!entry.isDirectory()) sum.files += 1;
    });
  }

  async function walk(): Promise<void> {
    while (waiting.length > 0 && !isStopped) await Promise.all(waiting.splice(-foldersAtOnce).map(lookInto));
    isWhole = !isStopped;
  }

  return { began: Date.now(), sums, isWhole: () => isWhole, stop: () => (isStopped = true), done: walk() };
}

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
    parts: DiskPart.shape.name.options.map((name) => ({ name, ...sums[name], isWhole: isWhole() })),
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
