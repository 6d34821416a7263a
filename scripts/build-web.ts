import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, open, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const repository = join(import.meta.dirname, "..");
const build = join(repository, "src/web/.next");
const stamp = join(build, "sources.sha256");
const lock = join(repository, "node_modules/.cache/guild-hall/build-web.lock");

/** What the pages are made of. Folders are read whole, without what a build or a test puts there. */
const sources = ["src/web", "src/client", "src/schema", "package-lock.json", "scripts/build-web.ts"];
const notSources = /(^|\/)(\.next|next-env\.d\.ts|[^/]+\.test\.tsx?)(\/|$)/;

/** Builds the pages; with `ifStale`, only where their sources changed since the last build. Two at once: the second waits and finds it done. */
export async function buildWeb({ ifStale }: { ifStale: boolean }): Promise<void> {
  if (ifStale && (await isFresh())) return;
  const release = await takeLock();
  try {
    if (ifStale && (await isFresh())) return;
    const hash = await hashSources();
    const started = performance.now();
    await runNextBuild();
    await writeFile(stamp, hash);
    console.log(`Built the pages in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  } finally {
    await release();
  }
}

async function isFresh(): Promise<boolean> {
  const built = await readFile(stamp, "utf8").catch(() => null);
  return built !== null && built === (await hashSources());
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const file of await filesIn(source)) hash.update(`${file}\0`).update(await readFile(join(repository, file)));
  }
  return hash.digest("hex");
}

async function filesIn(source: string): Promise<string[]> {
  if (/\.\w+$/.test(source)) return [source];
  const entries = await readdir(join(repository, source), { withFileTypes: true });
  const nested = entries.map(async (entry) => {
    const path = `${source}/${entry.name}`;
    if (notSources.test(path)) return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
  return (await Promise.all(nested)).flat().toSorted();
}

async function takeLock(): Promise<() => Promise<void>> {
  await mkdir(join(lock, ".."), { recursive: true });
  for (;;) {
    const handle = await open(lock, "wx").catch(() => null);
    if (handle !== null) {
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(lock, { force: true });
    }
    // A builder that was killed leaves its lock behind; an empty one is being written this instant.
    const holder = Number(await readFile(lock, "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    else await wait(200);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function runNextBuild(): Promise<void> {
  const child = spawn(process.execPath, [join(repository, "node_modules/next/dist/bin/next"), "build", "src/web"], {
    cwd: repository,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`The pages could not be built:\n${said.join("")}`);
}

if (import.meta.main) {
  await buildWeb({ ifStale: process.argv.includes("--if-stale") }).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
