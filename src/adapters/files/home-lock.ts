import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HallError } from "../../schema/hall-error.ts";
import type { Disk } from "./disk.ts";
import { disownProcesses } from "./disown-processes.ts";
import { folderIdentity, hallRecord, readHallRecord } from "./hall-record.ts";
import type { HallRecord } from "./hall-record.ts";
import { takeKernelLock } from "./kernel-lock.ts";
import type { KernelLock } from "./kernel-lock.ts";
import { createLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { identifyThisProcess, isAlive, lifeOf, placeOfThisProcess } from "../processes/process-identity.ts";

export type HallAddress = {
  pid: number;
  /** Null while the hall starts. */
  address: string | null;
  /** The record was written on this machine for this very folder, and did not come here with a copy or a download. */
  isOfThisPlace: boolean;
};

/** Returns where the hall of this home listens; null if no hall runs on it. */
export async function readHallAddress(home: string): Promise<HallAddress | null> {
  const record = await readOwnRecord(createLayout(resolve(home)));
  if (record === null || !(await isAlive(record.process))) return null;
  const { pid, machine } = record.process;
  const isOfThisPlace = record.folder !== undefined && machine === (await placeOfThisProcess()).machine;
  return { pid, address: record.address, isOfThisPlace };
}

/** The hall of the original runs, or ran, somewhere else. */
async function readOwnRecord(layout: Layout): Promise<HallRecord | null> {
  const found = await readHallRecord(layout);
  return found?.isOfThisHome === true ? found.record : null;
}

/** Takes the home for this process, or throws a sentence that says who has it. */
export async function takeHomeLock(layout: Layout, { address, version, disk }: { address: string | null; version: string; disk: Disk }) {
  const folder = await folderIdentity(layout.state);
  const lock = await takeLock(layout);
  await disownIfCopied(layout).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  let releasing: Promise<void> | undefined;
  const release = () => (releasing ??= rm(layout.hallRecord, { force: true }).finally(lock.release));
  const since = new Date().toISOString();
  const announce = async (at: string | null) => {
    const record: HallRecord = { process: await identifyThisProcess(), address: at, hallVersion: version, since, folder };
    await hallRecord.write(layout.hallRecord, record, disk);
  };
  try {
    await announce(address);
  } catch (error) {
    await release();
    throw error;
  }
  return { announce, release };
}

/** A hall that is just starting has the lock and no record yet, one that is ending no record and still the lock: both are over in a moment. */
async function takeLock(layout: Layout): Promise<KernelLock> {
  for (let turn = 0; turn < 100; turn += 1) {
    const lock = takeKernelLock(layout.hallLock);
    if (lock !== null) return refuseIfHeldWithout(lock, layout);
    const record = await readOwnRecord(layout);
    if (record !== null && (await isAlive(record.process))) throw inUse(layout, holderOf(record));
    await pause(20);
  }
  throw inUse(layout, "by a process that does not say which");
}

/** Somebody may have deleted the lock file under a running hall; a hall that is seen running counts, lock or no lock. */
async function refuseIfHeldWithout(lock: KernelLock, layout: Layout): Promise<KernelLock> {
  const record = await readOwnRecord(layout);
  if (record === null || record.process.pid === process.pid || (await lifeOf(record.process)) !== "running") return lock;
  lock.release();
  throw inUse(layout, holderOf(record));
}

/** Before there is a record that says nothing of a copy, or none. */
async function disownIfCopied(layout: Layout): Promise<void> {
  if ((await readHallRecord(layout))?.isOfThisHome === false) await disownProcesses(layout);
}

const holderOf = ({ process: { pid }, address }: HallRecord): string =>
  `by process ${pid}, ${address === null ? "which is starting" : `at ${address}`}`;

const inUse = (layout: Layout, by: string): HallError =>
  new HallError(
    "home_in_use",
    `A hall is already running on ${layout.home}: ${by}. Use that one, stop it, or choose another home with --home.`,
  );
