import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HallError } from "../../../schema/hall-error.ts";
import { MemberName } from "../../../schema/ids.ts";
import { defineDocument } from "../document.ts";
import { makeFolder } from "../durable-write.ts";
import { fileFailure, isAboutThisProcess } from "../file-failure.ts";
import type { Layout } from "../layout.ts";
import { namesIn } from "../names-in.ts";
import { identifyProcess, ProcessIdentity } from "../../processes/process-identity.ts";

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

type MemberRecord = NonNullable<Awaited<ReturnType<typeof memberRecord.read>>>;

export type MemberRecordsDeps = {
  layout: Pick<Layout, "memberStates" | "memberState">;
  /** Told of a record that cannot be read. */
  onProblem: (error: unknown) => void;
};

/** `state/members/`: which members run, so that a hall that was killed finds them at its next start and never ends a stranger. */
export function createMemberRecords({ layout: { memberStates, memberState }, onProblem }: MemberRecordsDeps) {
  /** Null where there is none. One that cannot be read is put beside the others, where nothing is written over it. */
  async function readOrPutAside(name: MemberName): Promise<MemberRecord | null> {
    const path = memberState(name);
    try {
      return await memberRecord.read(path);
    } catch (error) {
      if (!(error instanceof HallError) && isAboutThisProcess(error)) throw error;
      const kept = join(memberStates, freeName(name, await namesIn(memberStates)));
      await rename(path, kept).catch((failure: unknown) => {
        throw fileFailure(failure, path);
      });
      onProblem(new HallError("file_broken", unreadable(name, kept), { cause: error, details: { path: kept } }));
      return null;
    }
  }

  return {
    async begin(name: MemberName, record: { mark: string; port: number | null; startedAt: string }): Promise<void> {
      await makeFolder(memberStates);
      await readOrPutAside(name);
      await memberRecord.write(memberState(name), { ...record, process: null });
    },
    async identify(name: MemberName, pid: number): Promise<void> {
      const record = await memberRecord.read(memberState(name));
      if (record !== null) await memberRecord.write(memberState(name), { ...record, process: await identifyProcess(pid) });
    },
    remove: (name: MemberName): Promise<void> => rm(memberState(name), { force: true }),
    async leftBehind(): Promise<{ name: MemberName; mark: string; process: ProcessIdentity | null }[]> {
      const names = (await namesIn(memberStates)).flatMap((file) => {
        const name = MemberName.safeParse(file.replace(/\.json$/, ""));
        return file.endsWith(".json") && name.success ? [name.data] : [];
      });
      const found = await Promise.all(
        names.map(async (name) => {
          const record = await readOrPutAside(name).catch((error: unknown) => {
            onProblem(error);
            return null;
          });
          return record === null ? null : { name, mark: record.mark, process: record.process };
        }),
      );
      return found.filter((each) => each !== null);
    },
  };
}

const unreadable = (name: MemberName, kept: string): string =>
  `The record that says which process the member ${name} was cannot be read. It is kept as ${kept}. If a process of that member still runs, end it yourself.`;

/** A dot is in no member's name, so this is no member's record. */
function freeName(name: MemberName, taken: readonly string[]): string {
  for (let count = 1; ; count += 1) {
    const candidate = `${name}.broken${count === 1 ? "" : `-${count}`}.json`;
    if (!taken.includes(candidate)) return candidate;
  }
}
