import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { fillCompileCache } from "./fill-compile-cache.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const text = (path: string): Promise<string> => readFile(join(root, path), "utf8");

const Entry = z.looseObject({
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  inBundle: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  version: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

const Versions = z.record(z.string(), z.string());
const Manifest = z.object({ dependencies: Versions, devDependencies: Versions, optionalDependencies: Versions });

async function lockedPackages(): Promise<[string, z.infer<typeof Entry>][]> {
  const { packages } = z.object({ packages: z.record(z.string(), Entry) }).parse(JSON.parse(await text("package-lock.json")));
  return Object.entries(packages).filter(([path]) => path !== "");
}

it("the lockfile says what each package must be and not where it was fetched", async () => {
  const locked = await lockedPackages();

  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  expect(locked.filter(([, { integrity, inBundle }]) => integrity === undefined && inBundle !== true).map(([path]) => path)).toEqual([]);
});

it("the lockfile knows the binaries of every platform, without which npm ci refuses to start", async () => {
  const locked = await lockedPackages();
  const names = new Set(locked.map(([path]) => path.replace(/^.*node_modules\//, "")));

  const wanted = locked.flatMap(([, { optionalDependencies }]) => Object.keys(optionalDependencies ?? {}));

  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});

it("no package runs a script when it is installed, so that nothing gets in past the lockfile", async () => {
  const locked = await lockedPackages();
  const manifest: unknown = JSON.parse(await text("package.json"));

  expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
  expect(manifest).not.toHaveProperty("allowScripts");
});

it("the Node that runs everything is in the lockfile for each platform, by hash, and npm scripts run on it", async () => {
  const locked = new Map(await lockedPackages());
  const { optionalDependencies } = Manifest.parse(JSON.parse(await text("package.json")));
  const nodes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));

  expect(nodes.map(([name]) => name.replace(/^node-(bin-)?/, ""))).toEqual(
    expect.arrayContaining(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win-x64"]),
  );
  for (const [name, version] of nodes) {
    expect(Number(version.split(".")[0])).toBeGreaterThanOrEqual(24);
    expect(locked.get(`node_modules/${name}`)).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) as string });
  }
  const [, run] = /node_modules\/([^/]+)\/bin\/node/.exec(await realpath(join(root, "node_modules/.bin/node"))) ?? [];
  expect(Object.keys(optionalDependencies)).toContain(run);
});

it("every dependency is pinned to one version", async () => {
  const { dependencies, devDependencies, optionalDependencies } = Manifest.parse(JSON.parse(await text("package.json")));

  const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );

  expect(loose).toEqual([]);
});

it("the one command of a build server installs, checks and tests, and can be executed", async () => {
  const script = await text(".ci/run");
  const { mode } = await stat(join(root, ".ci/run"));

  expect(script.match(/^step .*/gm)).toEqual(["step npm ci", "step npm run check", "step npm test"]);
  expect(mode & 0o111).not.toBe(0);
});

it("what a member that is tried alone writes into its folder is neither committed nor packed", async () => {
  const { files } = z.object({ files: z.array(z.string()) }).parse(JSON.parse(await text("package.json")));
  const ignored = (await text(".gitignore")).split("\n");

  expect(ignored).toEqual(expect.arrayContaining(["/guild-members/*/jobs/", "/guild-members/*/memory/"]));
  expect(files).toEqual(expect.arrayContaining(["!guild-members/*/jobs", "!guild-members/*/memory"]));
});

it("a run of tests on a fresh checkout starts no hall, which could not show pages that nobody has built", async () => {
  const folder = await temporaryFolder();
  const cache = join(folder, "compiled");

  await fillCompileCache({ cache, pages: join(folder, "BUILD_ID") });

  expect(existsSync(cache)).toBe(false);
});

it("no key of the person who runs the tests reaches them, and no model does either", () => {
  const names = Object.keys(process.env).filter((name) => /^(ANTHROPIC|CLAUDE|GUILD_HALL)_|^IS_SANDBOX$/.test(name));

  expect(names).toEqual(["ANTHROPIC_BASE_URL"]);
  expect(process.env["ANTHROPIC_BASE_URL"]).toBe("http://127.0.0.1:9");
});
