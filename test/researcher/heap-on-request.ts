import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Loaded into a member before anything else: at SIGUSR2 it says what is left in its memory when all that nobody refers to is gone. */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void; // what the flag puts into a new context

process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`Kept: ${heapUsed + external} bytes\n`);
});
