import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
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

it("names of packages, modules and subcommands stay, also where a folder or a file here is called the same", async () => {
  const folder = await temporaryFolder();
  for (const name of ["mypkg", "server-memory", "server", "@scope/pkg"]) await mkdir(join(folder, name), { recursive: true });
  for (const name of ["serve", "run", "code"]) await writeFile(join(folder, name), "");

  const commands = [
    ["python3", "-m", "mypkg"],
    ["npx", "-y", "server-memory"],
    ["npx", "-y", "@scope/pkg"],
    ["uv", "run", "server"],
    ["uv", "run", "serve"],
    ["my-tool", "serve"],
    ["node", "-e", "code"],
    ["python3", "-m", "code"],
  ];

  expect(commands.map((command) => absolutePaths(command, folder))).toEqual(commands);
});

it("files after an interpreter, with an ending, or behind an equals sign say where they are", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "data"));
  for (const name of ["serve", "x.js", "notes.txt"]) await writeFile(join(folder, name), "");

  expect(absolutePaths(["node", "--import=./x.js", "--title=x.js", "serve", "data/", "data"], folder)).toEqual([
    "node",
    `--import=${join(folder, "x.js")}`,
    "--title=x.js",
    join(folder, "serve"),
    join(folder, "data"),
    "data",
  ]);
  expect(absolutePaths(["uv", "run", "x.js"], folder)).toEqual(["uv", "run", join(folder, "x.js")]);
  expect(absolutePaths(["my-tool", "open", "notes.txt", "~"], folder)).toEqual(["my-tool", "open", join(folder, "notes.txt"), homedir()]);
});
