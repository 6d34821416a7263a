import { open } from "node:fs/promises";
import { HallError } from "../../schema/hall-error.ts";

/** Half of the longest text that Node can hold. */
const mostBytes = 256 * 1024 * 1024;

/** Reads a file of the hall, or refuses it by name if it is far larger than the hall makes it. */
export async function readWholeFile(path: string, most = mostBytes): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > most) throw tooLarge(path, size, most);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const tooLarge = (path: string, size: number, most: number): HallError =>
  new HallError(
    "file_broken",
    `${path} is broken: it has ${mebibytes(size)}, and the hall reads at most ${mebibytes(most)} of it. It was left as it is; move it away.`,
    { details: { path } },
  );

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
