import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Finding } from "./finding.ts";
import { measureFolder } from "./folder-size.ts";

const parts = { sessions: "sessions", logs: "logs", "Claude's files": "claude", members: "guild-members" };
const longestLookMs = 1500;
const megabyte = 1024 * 1024;

export async function checkDisk(home: string): Promise<Finding> {
  const free = await freeBytes(home);
  const deadline = performance.now() + longestLookMs;
  const sizes = await Promise.all(
    Object.entries(parts).map(async ([name, folder]) => {
      const { bytes, isWhole } = await measureFolder(join(home, folder), deadline);
      return `${name} ${isWhole ? "" : "over "}${shown(bytes)}`;
    }),
  );
  const detail = `${shown(free)} free; the home folder holds ${sizes.join(", ")}.`;
  if (free < 50 * megabyte) return { status: "fail", detail, advice: "Make room: the hall refuses to accept what it cannot keep." };
  if (free < 1024 * megabyte) return { status: "warn", detail, advice: "Make room before it runs out." };
  return { status: "ok", detail };
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

function shown(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)));
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power] ?? "B"}`;
}
