import type { BenchRow } from "../bench-row.ts";
import { benchJobs } from "./bench-jobs.ts";
import { benchStored } from "./bench-stored.ts";

/** The bundled worker as a process of its own, asked over its protocol. */
export async function benchWorkers(): Promise<BenchRow[]> {
  return [...(await benchStored()), ...(await benchJobs())];
}
