import { execFile } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { buildWeb } from "./build-web.ts";

const repository = join(import.meta.dirname, "..");
const source = join(repository, "src");
const output = join(repository, "dist");

/** Fills `dist/` with what the package ships: compiled code, the files that lie beside it, and the built pages. */
async function buildPackage(): Promise<void> {
  await rm(output, { recursive: true, force: true });
  await Promise.all([compile(), copyFilesBesideCode(), buildWeb({ ifStale: true })]);
  await copyPages();
}

async function compile(): Promise<void> {
  const tsc = join(repository, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", join(repository, "tsconfig.build.json")]);
}

/** Scripts of the demo model and the like, at the same place relative to the code that reads them. */
async function copyFilesBesideCode(): Promise<void> {
  const web = join(source, "web");
  await cp(source, output, { recursive: true, filter: (path) => path !== web && !/\.tsx?$/.test(path) });
}

/** TypeScript is the source of a worker, which Next keeps beside what it made of it. */
const onlyForBuilding =
  /^\.next\/(?:build|cache|dev|diagnostics|types|trace|trace-build|turbopack|sources\.sha256|.*\.nft\.json|.*\.map|.*\.tsx?)$/;

async function copyPages(): Promise<void> {
  const [from, to] = [join(source, "web"), join(output, "web")];
  await cp(join(from, "next.config.mjs"), join(to, "next.config.mjs"));
  await cp(join(from, ".next"), join(to, ".next"), { recursive: true, filter: (path) => !onlyForBuilding.test(relative(from, path)) });
  await Promise.all(["required-server-files.json", "required-server-files.js"].map((name) => forgetThisMachine(join(to, ".next", name))));
}

/** Next notes where the build ran. A package knows no place but its own. */
async function forgetThisMachine(path: string): Promise<void> {
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replaceAll(repository, "."));
}

await buildPackage();
