import type { DiskPart, DiskUsage } from "../../schema/disk.ts";
import type { Finding } from "./finding.ts";

const words: Record<DiskPart["name"], string> = {
  sessions: "sessions",
  transcripts: "transcripts of the model",
  agent: "other files of agents",
  jobs: "jobs",
  members: "members",
  state: "records",
  index: "indexes",
  logs: "logs",
};
const megabyte = 1024 * 1024;

export async function checkDisk(usage: () => Promise<Pick<DiskUsage, "freeBytes" | "parts">>): Promise<Finding> {
  const { freeBytes: free, parts } = await usage();
  const sizes = parts.map(({ name, bytes, isWhole }) => `${words[name]} ${isWhole ? "" : "over "}${shown(bytes)}`);
  const detail = `${shown(free)} free; the home folder holds ${sizes.join(", ")}.`;
  if (free < 50 * megabyte) return { status: "fail", detail, advice: "Make room: the hall refuses to accept what it cannot keep." };
  if (free < 1024 * megabyte)
    return { status: "warn", detail, advice: "Make room before it runs out, or let old sessions go with retention in config.yaml." };
  return { status: "ok", detail };
}

function shown(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)));
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power] ?? "B"}`;
}
