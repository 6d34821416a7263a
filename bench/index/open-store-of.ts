import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** What a process that opened the store of a home has measured. */
export type Opened = {
  openMs: number;
  settledMs: number;
  answeredMeanwhile: number;
  longestBlockMs: number;
  rssMb: number;
  pages: number[];
  searchMs: number;
  searchableMs: number;
  searchBlockMs: number;
  searches: Record<"rare" | "common" | "none" | "several" | "beginning", { ms: number; found: number }>;
};

export async function openStoreOf(home: string): Promise<Opened> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "open-store.ts"), home]);
  return JSON.parse(stdout) as Opened; // what open-store.ts prints
}
