import { writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { signalGroup } from "../process-group.ts";
import { defineDocument } from "./document.ts";
import { makeFolder } from "./durable-write.ts";
import { identifyAtOnce, identifyProcess, lifeOf, placeOfThisProcess, ProcessIdentity } from "./process-identity.ts";
import type { Place } from "./process-identity.ts";
import { killUnrecorded } from "./unrecorded-processes.ts";

export type ChildRecords = {
  onSpawn(child: { pid: number }): void;
  onExit(child: { pid: number }): void;
  /** Ends what an earlier life of the hall left behind, waits until it is gone, and answers how many there were. */
  endOrphans(): Promise<number>;
};

const childRecord = defineDocument(z.object({ process: ProcessIdentity }));

/**
 * Remembers which processes the hall started, each by pid and start time, so that a hall that was killed finds them at its
 * next start and never ends a stranger that got a recycled pid. `variable` begins a variable of every child's environment, and
 * of nobody else's.
 */
export function createChildRecords(folder: string, onFailure: (error: unknown) => void, variable?: string): ChildRecords {
  const pathOf = (pid: number) => join(folder, `${pid}.json`);
  /** One process's record is written and removed in order, however fast it ends. */
  const pending = new Map<number, Promise<void>>();
  let here: Place | null = null;

  function enqueue(pid: number, work: () => Promise<void>): void {
    const done = (pending.get(pid) ?? Promise.resolve()).then(work).catch(onFailure);
    pending.set(pid, done);
    void done.then(() => pending.get(pid) === done && pending.delete(pid));
  }

  /**
   * In the turn in which it was started, where the system allows it: a hall that is killed a moment later would leave a process
   * of which nobody knows. A power cut ends the process too, so its record need not survive one.
   */
  function writeAtOnce(pid: number): boolean {
    const process = here === null ? null : identifyAtOnce(pid, here);
    if (process === null) return false;
    writeFileSync(pathOf(pid), JSON.stringify({ version: childRecord.version, process }), { mode: 0o600 });
    return true;
  }

  return {
    onSpawn: ({ pid }) =>
      enqueue(pid, async () => {
        if (writeAtOnce(pid)) return;
        const process = await identifyProcess(pid);
        if (process !== null) await childRecord.write(pathOf(pid), { process });
      }),
    onExit: ({ pid }) => enqueue(pid, () => rm(pathOf(pid), { force: true })),
    async endOrphans() {
      await makeFolder(folder);
      here = await placeOfThisProcess();
      const ended: ProcessIdentity[] = [];
      for (const name of (await readdir(folder)).filter((each) => each.endsWith(".json"))) {
        const path = join(folder, name);
        const record = await childRecord.read(path).catch((error: unknown) => {
          onFailure(error);
          return null;
        });
        // Only what is seen running: from another container or machine, the pid would be somebody else's here.
        const isSeen = record !== null && (await lifeOf(record.process)) === "running";
        // Every child leads a group of its own.
        if (isSeen && signalGroup(record.process.pid, "SIGKILL")) ended.push(record.process);
        await rm(path, { force: true });
      }
      if (variable !== undefined) ended.push(...killUnrecorded(variable, here));
      await Promise.all(ended.map(untilGone));
      return ended.length;
    },
  };
}

/** Long enough for a machine under load to let go of a killed process; what hangs in the kernel longer cannot be helped. */
const patience = { looks: 250, pauseMs: 20 };

async function untilGone(process: ProcessIdentity): Promise<void> {
  for (let looks = 0; looks < patience.looks && (await lifeOf(process)) === "running"; looks += 1) await pause(patience.pauseMs);
}
