import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { HallError } from "../../schema/hall-error.ts";
import type { Disk } from "./disk.ts";
import { disk } from "./disk.ts";
import { createFileDurably } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import type { Layout } from "./layout.ts";
import { readRegularFile } from "../paths/read-regular-file.ts";

/** The person's key of this home, made at its first start. Call it while the home is locked. */
export async function takePersonKey(layout: Layout, on: Disk = disk): Promise<string> {
  const found = await readPersonKey(layout);
  if (found === null) await createFileDurably(layout.personKey, `${randomBytes(32).toString("base64url")}\n`, on);
  const key = found ?? (await readPersonKey(layout));
  if (key === null) throw new HallError("home_unusable", `${layout.personKey} was removed while the hall started. Start it again.`);
  // A copy of a home may have lost the modes of its files.
  await chmod(layout.personKey, 0o600).catch((error: unknown) => {
    throw fileFailure(error, layout.personKey);
  });
  return key;
}

/** Null where the home has no key yet. */
export async function readPersonKey(layout: Layout): Promise<string | null> {
  const file = await readRegularFile(layout.personKey, mostBytes).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw fileFailure(error, layout.personKey);
  });
  if (file === null) return null;
  const key = /^([\w-]{43})\n?$/.exec(file.bytes?.toString() ?? "")?.[1];
  if (key !== undefined) return key;
  throw new HallError(
    "file_broken",
    `${layout.personKey} is broken: it should hold one line of 43 characters. Delete it, and the next start of the hall makes a new key.`,
    { details: { path: layout.personKey } },
  );
}

const mostBytes = 1024;
