import { readdir, rm } from "node:fs/promises";
import { z } from "zod";
import { MemberName } from "../../../schema/ids.ts";
import { defineDocument } from "../document.ts";
import { makeFolder } from "../durable-write.ts";
import { fileFailure, systemCode } from "../file-failure.ts";
import type { Layout } from "../layout.ts";
import { identifyProcess, lifeOf, ProcessIdentity } from "../process-identity.ts";

export const memberRecord = defineDocument(
  z.object({
    /** In the environment of every process of the member, and of no other. */
    mark: z.string(),
    port: z.int().nullable(),
    startedAt: z.iso.datetime(),
    /** Null until the process exists. */
    process: ProcessIdentity.nullable(),
  }),
);

/** `state/members/`: which members run, so that a hall that was killed finds them at its next start and never ends a stranger. */
export function createMemberRecords({ memberStates, memberState }: Pick<Layout, "memberStates" | "memberState">) {
  return {
    async begin(name: MemberName, record: { mark: string; port: number | null; startedAt: string }): Promise<void> {
      await makeFolder(memberStates);
      await memberRecord.write(memberState(name), { ...record, process: null });
    },
    async identify(name: MemberName, pid: number): Promise<void> {
      const record = await memberRecord.read(memberState(name));
      if (record !== null) await memberRecord.write(memberState(name), { ...record, process: await identifyProcess(pid) });
    },
    remove: (name: MemberName): Promise<void> => rm(memberState(name), { force: true }),
    async leftBehind(): Promise<{ name: MemberName; mark: string; leader: number | null }[]> {
      const names = (await filesIn(memberStates)).flatMap((file) => {
        const name = MemberName.safeParse(file.replace(/\.json$/, ""));
        return file.endsWith(".json") && name.success ? [name.data] : [];
      });
      const found = await Promise.all(
        names.map(async (name) => {
          const record = await memberRecord.read(memberState(name)).catch(() => null);
          if (record === null) return null;
          // Only what is seen running: from another container or machine, the pid would be somebody else's here.
          const isSeen = record.process !== null && (await lifeOf(record.process)) === "running";
          return { name, mark: record.mark, leader: isSeen && record.process !== null ? record.process.pid : null };
        }),
      );
      return found.filter((each) => each !== null);
    },
  };
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileFailure(error, folder);
  }
}
