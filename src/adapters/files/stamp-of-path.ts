import { stat } from "node:fs/promises";
import { systemCode } from "../system-code.ts";

/** Null where there is no such file. What cannot be looked at for another reason is there all the same; reading it tells why. */
export async function stampOfPath(path: string): Promise<string | null> {
  try {
    const { ctimeMs, size, ino } = await stat(path);
    // Times of files tick, so one that changed just now can change again and look the same: this stamp equals no other.
    const isFresh = Date.now() - ctimeMs < longestTickMs;
    return `${ctimeMs}-${size}-${ino}${isFresh ? `-${performance.now()}` : ""}`;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? null : code;
  }
}

const longestTickMs = 50;
