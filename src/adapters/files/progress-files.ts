import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ProgressFile, ProgressStore } from "../../core/run/progress-store.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { RunId } from "../../schema/ids.ts";
import { appendWhole } from "./append-json-lines.ts";
import { disk } from "./disk.ts";
import type { Disk, DiskFile } from "./disk.ts";
import { makeFolder } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { readWholeFile } from "./read-whole-file.ts";

/** The place of every so manieth line is remembered, so that a line in the middle is found without reading all before it. */
const linesPerMark = 64;

/** What running runs have said, one file each, one line per event. */
export function createProgressFiles(folder: string, on: Disk = disk): ProgressStore {
  const pathOf = (run: RunId) => join(folder, `${run}.jsonl`);
  return {
    open: (run) => createProgressFile(pathOf(run), on),
    async readLeft(run) {
      try {
        return linesOf(await readWholeFile(pathOf(run)));
      } catch (error) {
        if (systemCode(error) === "ENOENT") return [];
        if (error instanceof HallError) throw tooLarge(pathOf(run), error);
        throw fileFailure(error, pathOf(run));
      }
    },
    remove: (run) => rm(pathOf(run), { force: true }),
    async keepOnly(runs) {
      await makeFolder(folder, on);
      const kept = new Set(runs.map((run) => `${run}.jsonl`));
      for (const name of await readdir(folder)) if (!kept.has(name)) await rm(join(folder, name), { force: true, recursive: true });
    },
  };
}

/** In other words than those of `readWholeFile`: the file is removed once its run has ended. */
const tooLarge = (path: string, cause: HallError): HallError =>
  new HallError("file_broken", `${path} is broken: it is larger than the hall can read. Its run ends without it.`, {
    cause,
    details: { path },
  });

function createProgressFile(path: string, on: Disk): ProgressFile {
  const marks = [0];
  let count = 0;
  let size = 0;
  let file: DiskFile | undefined;

  return {
    async append(lines) {
      try {
        file ??= await on.open(path, "w", 0o600);
        await appendWhole(file, size, Buffer.from(lines.map((line) => `${line}\n`).join("")));
      } catch (error) {
        throw fileFailure(error, path);
      }
      for (const line of lines) {
        size += Buffer.byteLength(line) + 1;
        count += 1;
        if (count % linesPerMark === 0) marks.push(size);
      }
    },

    async read(from, most) {
      const first = Math.floor(from / linesPerMark);
      const start = marks[first] ?? size;
      const end = marks[Math.ceil((from + most) / linesPerMark)] ?? size;
      if (end <= start) return [];
      const skipped = from - first * linesPerMark;
      return linesOf(await readPart(path, start, end - start)).slice(skipped, skipped + most);
    },

    async seal() {
      await file?.close();
      file = undefined;
    },
  };
}

async function readPart(path: string, start: number, length: number): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    try {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, start);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileFailure(error, path);
  }
}

const linesOf = (bytes: Buffer): string[] =>
  bytes
    .toString()
    .split("\n")
    .filter((line) => line !== "");
