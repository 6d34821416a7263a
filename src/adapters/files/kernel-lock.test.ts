import { execFile } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { HallError } from "../../schema/hall-error.ts";
import { takeKernelLock } from "./kernel-lock.ts";

describe("a kernel lock", () => {
  it("is held by one at a time, in one process too", async () => {
    const file = join(await temporaryFolder(), "a.lock");

    const first = takeKernelLock(file);
    const whileHeld = [takeKernelLock(file), takeKernelLock(file)];
    first?.release();
    first?.release();
    const afterwards = takeKernelLock(file);

    expect(first).not.toBeNull();
    expect(whileHeld).toEqual([null, null]);
    expect(afterwards).not.toBeNull();
    afterwards?.release();
  });

  it("keeps its file empty and for this user only (SEC-16)", async () => {
    const file = join(await temporaryFolder(), "a.lock");

    const lock = takeKernelLock(file);

    const { mode, size } = await stat(file);
    expect({ mode: mode & 0o777, size }).toEqual({ mode: 0o600, size: 0 });
    lock?.release();
  });

  it("is taken on a file with something else in it, which is empty again", async () => {
    const file = join(await temporaryFolder(), "a.lock");
    await writeFile(file, '{ "shopping": ["milk", "bread"] }\n'.repeat(100));

    const first = takeKernelLock(file);
    const whileHeld = takeKernelLock(file);

    expect(first).not.toBeNull();
    expect(whileHeld).toBeNull();
    expect((await stat(file)).size).toBe(0);
    first?.release();
  });

  it("is nobody else's because somebody wrote into its file", async () => {
    const file = join(await temporaryFolder(), "a.lock");
    const first = takeKernelLock(file);

    // By another process: to close the file in this one would let the lock go.
    await promisify(execFile)(process.execPath, ["-e", 'require("node:fs").writeFileSync(process.argv[1], "milk".repeat(1000))', file]);

    expect(takeKernelLock(file)).toBeNull();
    first?.release();
  });

  it("says in words that it cannot lock", async () => {
    const file = join(await temporaryFolder(), "missing", "a.lock");

    const attempt = () => takeKernelLock(file);

    expect(attempt).toThrow(HallError);
    expect(attempt).toThrow(/a\.lock cannot be locked/);
  });
});
