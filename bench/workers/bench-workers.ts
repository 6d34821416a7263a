import type { BenchRow } from "../bench-row.ts";
import { benchJobs } from "./bench-jobs.ts";
import { benchListed } from "./bench-listed.ts";
import { benchStored } from "./bench-stored.ts";

/** The bundled worker as a process of its own, asked over its protocol; and very many jobs as the hall lists them. */
export async function benchWorkers(): Promise<BenchRow[]> {
  return [...(await benchStored()), ...(await benchListed()), ...(await benchJobs())];
}
