import { existsSync } from "node:fs";
import { resolve } from "node:path";

/**
 * A member runs in a folder of its own, so an argument that names a file here must say where that is. The program itself
 * is looked for on the PATH, unless it was written as a path.
 */
export function absolutePaths(command: readonly string[], folder: string): string[] {
  return command.map((word, at) => {
    const isPath = at === 0 ? /[/\\]/.test(word) : word !== "" && !word.startsWith("-");
    return isPath && existsSync(resolve(folder, word)) ? resolve(folder, word) : word;
  });
}
