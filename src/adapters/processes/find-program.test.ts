import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ordinaryUser } from "../../../test/ordinary-user.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findProgram } from "./find-program.ts";

it("finds a program in the first folder of the search path that has it", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "tool"), "#!/bin/sh\n", { mode: 0o755 });

  const found = await findProgram("tool", "/", { PATH: `/nowhere:${folder}` });

  expect(found).toBe(join(folder, "tool"));
});

it("does not find a program in a folder that is closed to this user", async () => {
  const codes = await codesFor("tool", { mode: 0o755, folderMode: 0o000 });

  expect(codes).toBe("ENOENT");
});

it("says of a program that may not be executed that it may not", async () => {
  const codes = await codesFor("tool", { mode: 0o644, folderMode: 0o755 });

  expect(codes).toBe("EACCES");
});

/** The code that an ordinary user meets with a search path of one folder that holds the program. */
async function codesFor(command: string, { mode, folderMode }: { mode: number; folderMode: number }): Promise<string> {
  const user = await ordinaryUser();
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const place = join(folder, "bin");
  await mkdir(place);
  await writeFile(join(place, command), "#!/bin/sh\n");
  await chmod(join(place, command), mode);
  await chmod(place, folderMode);
  const program = `
    const { findProgram } = await import(${JSON.stringify(user.pathOf(new URL("./find-program.ts", import.meta.url)))});
    await findProgram(${JSON.stringify(command)}, "/", { PATH: ${JSON.stringify(place)} }).then(console.log, ({ code }) => console.log(code));
  `;
  const { stdout } = await promisify(execFile)(user.node, ["--input-type=module", "--eval", program], { ...user.ids, cwd: "/" });
  await chmod(place, 0o755);
  return stdout.trim();
}
