import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createTurns } from "../../core/in-turn.ts";
import type { OrphanRecords } from "../processes/end-orphans.ts";
import { identifyAtOnce, identifyProcess, placeOfThisProcess, ProcessIdentity } from "../processes/process-identity.ts";
import type { Place } from "../processes/process-identity.ts";
import { defineDocument } from "./document.ts";
import { makeFolder } from "./durable-write.ts";
import { namesIn } from "./names-in.ts";

export type ChildRecords = OrphanRecords<string> & {
  onStart(child: { mark: string }): void;
  onSpawn(child: { pid: number; mark: string }): void;
  onExit(child: { mark: string }): void;
};

export const childRecord = defineDocument(z.object({ process: ProcessIdentity })).next(
  /** Null until the process exists. */
  z.object({ process: ProcessIdentity.nullable() }),
  (before) => before,
);

/**
 * Remembers which processes the hall started, so that a hall that was killed finds them at its next start and never ends a
 * stranger that got a recycled pid. A file is named after the mark of its process, so it serves even if it was cut off.
 */
export function createChildRecords(folder: string, onFailure: (error: unknown) => void): ChildRecords {
  /** The record of one process is written and removed in order, however fast the process ends. */
  const inTurn = createTurns<string>();
  const pathOf = (name: string) => join(folder, `${name}.json`);
  let here: Place | null = null;

  /**
   * Before anything else can happen: a hall that is killed a moment later would leave a process that is not on record. A power
   * cut ends the process too, so its record need not survive one.
   */
  function writeAtOnce(mark: string, process: ProcessIdentity | null): void {
    writeFileSync(pathOf(nameOf(mark)), JSON.stringify({ version: childRecord.version, process }), { mode: 0o600 });
  }

  async function identify(pid: number, mark: string): Promise<void> {
    const process = here === null ? null : identifyAtOnce(pid, here);
    if (process !== null) return writeAtOnce(mark, process);
    await childRecord.write(pathOf(nameOf(mark)), { process: await identifyProcess(pid) });
  }

  return {
    onStart({ mark }) {
      try {
        writeAtOnce(mark, null);
      } catch (error) {
        // The agent can work without its record, and dies with the hall where the system allows it.
        onFailure(error);
      }
    },
    onSpawn: ({ pid, mark }) => void inTurn(mark, () => identify(pid, mark)).catch(onFailure),
    onExit: ({ mark }) => void inTurn(mark, () => rm(pathOf(nameOf(mark)), { force: true })).catch(onFailure),
    remove: (name) => rm(pathOf(name), { force: true }),
    async leftBehind() {
      await makeFolder(folder);
      here = await placeOfThisProcess();
      const names = (await namesIn(folder)).flatMap((file) => /^([^.].*)\.json$/.exec(file)?.[1] ?? []);
      return Promise.all(
        names.map(async (name) => {
          const record = await childRecord.read(pathOf(name)).catch((error: unknown) => {
            onFailure(error);
            return null;
          });
          return { name, mark: markOf(name), process: record?.process ?? null };
        }),
      );
    },
  };
}

const nameOf = (mark: string): string => mark.slice(owner.length);

/** Null for the name of an earlier version, which was a pid. */
const markOf = (name: string): string | null => (z.uuid().safeParse(name).success ? `${owner}${name}` : null);

const owner = "agent:";
