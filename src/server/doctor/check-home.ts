import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding, RunningHall } from "./finding.ts";

export async function checkHome({
  home,
  hall,
  newestVersion,
}: {
  home: string;
  hall: RunningHall | null;
  newestVersion: number;
}): Promise<Finding> {
  const found = await stat(home).catch(() => null);
  if (found === null)
    return { status: "info", detail: `${home} is not there yet.`, advice: "It is created at the first start: guild-hall serve" };
  if (!found.isDirectory())
    return { status: "fail", detail: `${home} is not a folder.`, advice: "Move it away, or choose another with --home." };
  if (!(await isWritable(home))) {
    return {
      status: "fail",
      detail: `${home} cannot be written.`,
      advice: "Give this user the right to write there, or choose another folder with --home.",
    };
  }
  const version = await homeVersion(home);
  if (version !== null && version > newestVersion) {
    return {
      status: "fail",
      detail: `${home} was written by a newer version of Guild Hall (format ${version}, this one knows ${newestVersion}).`,
      advice: "Update Guild Hall, or choose another folder with --home.",
    };
  }
  const holder = hall === null ? "no hall runs on it" : `a hall runs on it at ${hall.url} (process ${hall.pid})`;
  const detail = `${home} is writable, ${version === null ? "without a version yet" : `format ${version}`}; ${holder}.`;
  if (process.platform === "win32" || (found.mode & 0o077) === 0) return { status: "ok", detail };
  const mode = (found.mode & 0o777).toString(8);
  return {
    status: "warn",
    detail: `${detail} Other users of this machine can look into it (mode ${mode}).`,
    advice: `Close it with: chmod 700 ${home}`,
  };
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

async function homeVersion(home: string): Promise<number | null> {
  const text = await readFile(join(home, "version"), "utf8").catch(() => "");
  return /^\d+\s*$/.test(text) ? Number(text) : null;
}
