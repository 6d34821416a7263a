import { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a hall before anything else: it kills itself between two writes. `DIE_AT_WRITE=3.2` is two writes after
 * somebody opened a history to append the third message. A signal from outside comes too late for such a moment.
 */
const [message = 0, write = 0] = (process.env["DIE_AT_WRITE"] ?? "").split(".").map(Number);
let messages = 0;
let writes = 0;

function onWrite(path: unknown): void {
  if (String(path).endsWith("messages.jsonl")) messages += 1;
  if (messages < message) return;
  if (writes === write) process.kill(process.pid, "SIGKILL");
  writes += 1;
}

const { open, rename } = promises;
const changed: Partial<typeof promises> = {
  open(path, flags, mode) {
    if (flags !== undefined && flags !== "r") onWrite(path);
    return open(path, flags, mode);
  },
  rename(from, to) {
    onWrite(to);
    return rename(from, to);
  },
};

if (isMainThread && message > 0) {
  Object.assign(promises, changed);
  syncBuiltinESMExports();
}
