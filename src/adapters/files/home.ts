import { resolve } from "node:path";
import { disk } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { makeFolder, sweepTemporaries } from "./durable-write.ts";
import { claimFolder } from "./home-folder.ts";
import { takeHomeLock } from "./home-lock.ts";
import { checkHomeVersion, writeHomeVersion } from "./home-version.ts";
import { createLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";

export type Home = {
  layout: Layout;
  /** Tells other programs of this user where the hall answers, once it does. */
  announce(address: string): Promise<void>;
  /** Lets another hall have the home. Idempotent. */
  release(): Promise<void>;
};

type Opening = {
  /** Where the hall will answer, as far as that is known before it listens. */
  address: string | null;
  /** The version of the program, not of the home's format. */
  version: string;
  disk?: Disk;
};

/** Takes the home folder for this process, and makes what is missing in it. Every failure is one sentence. */
export async function openHome(home: string, { address, version, disk: on = disk }: Opening): Promise<Home> {
  const layout = createLayout(resolve(home));
  await claimFolder(layout.home);
  // Before anything is made in it: a home that is not for this program stays exactly as it is.
  await checkHomeVersion(layout);
  await makeFolder(layout.state);
  const lock = await takeHomeLock(layout, { address, version, disk: on });
  try {
    const found = await checkHomeVersion(layout);
    for (const folder of foldersOf(layout)) await makeFolder(folder);
    for (const folder of [layout.home, layout.state]) await sweepTemporaries(folder);
    if (found === null) await writeHomeVersion(layout, on);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return { layout, announce: lock.announce, release: lock.release };
}

const foldersOf = (layout: Layout): string[] => [
  layout.guildMembers,
  layout.sessions,
  layout.jobs,
  layout.memberStates,
  layout.acceptedTools,
  layout.engine.folder,
  layout.index,
  layout.claude.folder,
  layout.claude.home,
  layout.claude.config,
  layout.claude.temporary,
  layout.logs,
];
