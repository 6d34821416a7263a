import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { signalGroup } from "../process-group.ts";
import { defineDocument } from "./document.ts";
import { makeFolder } from "./durable-write.ts";
import { identifyProcess, lifeOf, ProcessIdentity } from "./process-identity.ts";

export type ChildRecords = {
  onSpawn(child: { pid: number }): void;
  onExit(child: { pid: number }): void;
  /** Ends the process groups that an earlier life of the hall left behind, and answers how many there were. */
  endOrphans(): Promise<number>;
};

const childRecord = defineDocument(z.object({ process: ProcessIdentity }));

/**
 * Remembers which processes the hall started, each by pid and start time, so that a hall that was killed finds them at its
 * next start and never ends a stranger that got a recycled pid.
 */
export function createChildRecords(folder: string, onFailure: (error: unknown) => void): ChildRecords {
  const pathOf = (pid: number) => join(folder, `${pid}.json`);
  /** One process's record is written and removed in order, however fast it ends. */
  const pending = new Map<number, Promise<void>>();

  function enqueue(pid: number, work: () => Promise<void>): void {
    const done = (pending.get(pid) ?? Promise.resolve()).then(work).catch(onFailure);
    pending.set(pid, done);
    void done.then(() => pending.get(pid) === done && pending.delete(pid));
  }

  return {
    onSpawn: ({ pid }) =>
      enqueue(pid, async () => {
        const process = await identifyProcess(pid);
        if (process !== null) await childRecord.write(pathOf(pid), { process });
      }),
    onExit: ({ pid }) => enqueue(pid, () => rm(pathOf(pid), { force: true })),
    async endOrphans() {
      await makeFolder(folder);
      let ended = 0;
      for (const name of (await readdir(folder)).filter((each) => each.endsWith(".json"))) {
        const path = join(folder, name);
        const record = await childRecord.read(path).catch((error: unknown) => {
          onFailure(error);
          return null;
        });
        // Only what is seen running: from another container or machine, the pid would be somebody else's here.
        const isSeen = record !== null && (await lifeOf(record.process)) === "running";
        // Every child leads a group of its own.
        if (isSeen && signalGroup(record.process.pid, "SIGKILL")) ended += 1;
        await rm(path, { force: true });
      }
      return ended;
    },
  };
}
