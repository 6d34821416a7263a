import { readdir } from "node:fs/promises";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";

/** A folder that is not there has nothing in it. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileFailure(error, folder);
  }
}
