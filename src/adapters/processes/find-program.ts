import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Where the program of a command lies, looked for as the system would. Rejects with the error that starting it would give. */
export async function findProgram(command: string, folder: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const isPath = command.includes("/");
  const places = isPath ? [command] : (env["PATH"] ?? "").split(":").map((place) => join(place, command));
  let failure: unknown = Object.assign(new Error(`${command} was not found`), { code: "ENOENT" });
  for (const place of places) {
    const program = resolve(folder, place);
    try {
      await access(program, constants.X_OK);
      if ((await stat(program)).isFile()) return program;
      failure = Object.assign(new Error(`${program} is no file`), { code: "EACCES" });
    } catch (error) {
      // A folder on the search path that is closed to this user holds nothing of theirs.
      const isHidden = !isPath && codeOf(error) === "EACCES" && !(await isVisible(program));
      if (!isHidden && !notThere.has(codeOf(error))) failure = error;
    }
  }
  throw failure;
}

const notThere = new Set<unknown>(["ENOENT", "ENOTDIR"]);

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

const isVisible = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
