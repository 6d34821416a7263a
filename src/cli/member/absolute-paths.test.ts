import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { absolutePaths } from "./absolute-paths.ts";

it("arguments that name files here say where they are; flags, words and programs on the PATH stay", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "tools"));
  for (const name of ["node", "server.ts", "--port", "tools/run"]) await writeFile(join(folder, name), "");

  expect(absolutePaths(["node", "server.ts", "--port", "80", "nothing.ts", "", "."], folder)).toEqual([
    "node",
    join(folder, "server.ts"),
    "--port",
    "80",
    "nothing.ts",
    "",
    folder,
  ]);
  expect(absolutePaths(["./tools/run", "/etc"], folder)).toEqual([join(folder, "tools/run"), "/etc"]);
});
