import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { benchJobs } from "./bench-jobs.ts";
import { benchListed } from "./bench-listed.ts";
import { benchMemory } from "./bench-memory.ts";
import { benchParked } from "./bench-parked.ts";
import { benchStored } from "./bench-stored.ts";

/** The bundled worker as a process of its own, asked over its protocol; and very many jobs as the hall lists them. */
export async function benchWorkers(effort: Effort): Promise<BenchRow[]> {
  return [
    ...(await benchStored(effort)),
    ...(await benchListed(effort)),
    await benchJobs(effort),
    await benchMemory(effort),
    ...(await benchParked()),
  ];
}
