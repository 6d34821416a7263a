import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openReadOnlyDisk, openSmallDisk } from "../small-disk.ts";
import type { SmallDisk } from "../small-disk.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A disk of 4 MB that can run full, gone when the test is over. */
export const smallDisk = async (): Promise<SmallDisk> => untilFinished(await openSmallDisk(join(await temporaryFolder(), "disk")));

/** A folder nobody can write to, root included. */
export const readOnlyFolder = async () => untilFinished(await openReadOnlyDisk(join(await temporaryFolder(), "disk")));

function untilFinished<Disk extends Pick<SmallDisk, "remove">>(disk: Disk): Disk {
  onTestFinished(disk.remove);
  return disk;
}
