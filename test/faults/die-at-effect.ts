import { appendFileSync, promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a hall before anything else: it kills itself between two writes. `DIE_AT_EFFECT=/approvals/|3|2` is two writes after
 * the third write to a path with `/approvals/` in it. Each file that gets the name `WATCHED_FILE` is counted in the file `PLACED`,
 * so that a test sees what happened twice.
 */
const [place = "", time, more] = (process.env["DIE_AT_EFFECT"] ?? "").split("|");
const watched = process.env["WATCHED_FILE"] ?? "";
let left = time === undefined ? Infinity : Number(time);
let writes = Number(more);

function onWrite(path: unknown): void {
  if (String(path).includes(place)) left -= 1;
  if (left > 0) return;
  if (writes === 0) process.kill(process.pid, "SIGKILL");
  writes -= 1;
}

const { open, rename } = promises;
const changed: Partial<typeof promises> = {
  open(path, flags, mode) {
    if (flags !== undefined && flags !== "r") onWrite(path);
    return open(path, flags, mode);
  },
  async rename(from, to) {
    onWrite(to);
    await rename(from, to);
    if (String(to).endsWith(`/${watched}`)) appendFileSync(process.env["PLACED"] ?? "", "placed\n");
  },
};

if (isMainThread && watched !== "") {
  Object.assign(promises, changed);
  syncBuiltinESMExports();
}
