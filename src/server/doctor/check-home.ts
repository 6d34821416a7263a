import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { Finding, HomeHolder } from "./finding.ts";

type HomeToCheck = { home: string; hall: HomeHolder | null; homeVersion: () => Promise<number | null> };

export async function checkHome({ home, hall, homeVersion }: HomeToCheck): Promise<Finding> {
  const found = await stat(home).catch(() => null);
  if (found === null)
    return { status: "info", detail: `${home} is not there yet.`, advice: "It is made at the first start: guild-hall serve" };
  if (!found.isDirectory())
    return { status: "fail", detail: `${home} is not a folder.`, advice: "Move it away, or choose another with --home." };
  if (process.getuid !== undefined && found.uid !== process.getuid()) {
    return {
      status: "fail",
      detail: `${home} belongs to another user (${found.uid}).`,
      advice: "Run the hall as that user, or choose another folder with --home.",
    };
  }
  if (!(await isWritable(home))) {
    return {
      status: "fail",
      detail: `${home} cannot be written.`,
      advice: "Give this user the right to, or choose another folder with --home.",
    };
  }
  const version = await homeVersion();
  const detail = `${home} is writable, ${version === null ? "without a format yet" : `format ${version}`}; ${holder(hall)}.`;
  if (process.platform === "win32" || (found.mode & 0o077) === 0) return { status: "ok", detail };
  const mode = (found.mode & 0o777).toString(8);
  return { status: "warn", detail: `${detail} Other users can look into it (mode ${mode}).`, advice: `Close it with: chmod 700 ${home}` };
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

function holder(hall: HomeHolder | null): string {
  if (hall === null) return "no hall runs on it";
  return hall.address === null
    ? `a hall is starting on it (process ${hall.pid})`
    : `a hall runs on it at ${hall.address} (process ${hall.pid})`;
}
