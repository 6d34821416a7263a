import type { JobEngine } from "../../../core/engine/job-engine.ts";
import { disk } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { openHome } from "../home.ts";
import { createFileJobEngine } from "./job-engine.ts";

/** The engine as a hall has it: who opens it holds the home folder. */
export async function openEngineOfHome(folder: string, on: Disk = disk): Promise<JobEngine> {
  const { layout, release } = await openHome(folder, { address: null, version: "0.0.0" });
  const engine = createFileJobEngine({ folder: layout.engine.folder, retryMs: 10, disk: on });
  await engine.start();
  return {
    ...engine,
    async close() {
      const closed = await engine.close();
      await release();
      return closed;
    },
  };
}
