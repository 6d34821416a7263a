import type { DiskPart, DiskUsage } from "../../schema/disk.ts";
import { sizeOf } from "../../schema/size.ts";
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

type DiskDeps = { usage: () => Promise<Pick<DiskUsage, "freeBytes" | "parts">>; retention: () => Promise<DiskUsage["retention"] | null> };

export async function checkDisk({ usage, retention }: DiskDeps): Promise<Finding> {
  const { freeBytes: free, parts } = await usage();
  const detail = [`${sizeOf(free)} free; the home folder holds ${parts.map(heldBy).join(", ")}.`, ...kept(await retention())].join("\n");
  if (free < 50 * megabyte) return { status: "fail", detail, advice: "Make room: the hall refuses to accept what it cannot keep." };
  if (free < 1024 * megabyte)
    return { status: "warn", detail, advice: "Make room before it runs out, or let old sessions go with retention in config.yaml." };
  return { status: "ok", detail };
}

function heldBy({ name, bytes, isWhole }: DiskPart): string {
  if (!isWhole && bytes === 0) return `${words[name]} that could not be looked at in time`;
  return `${words[name]} ${isWhole ? "" : "over "}${sizeOf(bytes)}`;
}

/** Nothing where the configuration cannot be read, which is a finding of its own. */
function kept(retention: DiskUsage["retention"] | null): string[] {
  if (retention === null) return [];
  const { completedSessionDays: completed, inactiveSessionDays: inactive } = retention;
  const rules = [
    ...(completed === null ? [] : [`completed sessions after ${days(completed)}`]),
    ...(inactive === null ? [] : [`any session after ${days(inactive)} without activity`]),
  ];
  return [rules.length === 0 ? "Sessions are kept until somebody deletes them." : `The hall deletes ${rules.join(" and ")}.`];
}

const days = (count: number): string => (count === 1 ? "a day" : `${count} days`);
