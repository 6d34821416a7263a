import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { createHallClient } from "../src/client/hall-client.ts";
import type { HallClient } from "../src/client/hall-client.ts";
import { HallError } from "../src/schema/hall-error.ts";
import { unpackChromium } from "../test/web/chromium.ts";
import { buildWeb } from "./build-web.ts";

const repository = join(import.meta.dirname, "..");
const images = join(repository, "docs/images");

/** Sessions of a hall in use, with what is said in each to the demo model. The last one is still answering. */
const sessions = [
  { name: "Release notes for 2.14", says: "markdown" },
  { name: "Usage limits on Fridays", says: "error: usage limit" },
  { name: "What is in this folder", says: "tour" },
  { name: "Retry budget, three options", says: "markdown" },
  { name: "Why a read fails", says: "failing tool" },
  { name: "A walk through the hall", says: "tour" },
  { name: "Reading the long log", says: "long answer" },
];

/** What the bundled worker is given to do. In a hall without a key it plays through what a job can be. */
const jobs = [
  "Compare three libraries for comments that merge",
  "Why do invoice numbers repeat on the 11th?",
  "What changed in the retry budget since 2.12?",
];

const pages = [
  { name: "hall", path: "/", heading: "Board" },
  { name: "jobs", path: "/jobs", heading: "Jobs" },
];

/** Starts a hall of its own, has it used a little, and photographs it in both themes for the README. */
async function takeScreenshots(): Promise<void> {
  await buildWeb({ ifStale: true });
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-images-"));
  const hall = await startHall(folder);
  try {
    await useHall(createHallClient({ baseUrl: hall.url }));
    await photograph(hall.url);
  } finally {
    await hall.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function startHall(folder: string): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const args = [join(repository, "bin/guild-hall.js"), "serve", "--port", "0", "--home", join(folder, "home"), "--json"];
  // Nothing of this machine's own settings: the hall of the picture is the hall of a first start.
  const env: NodeJS.ProcessEnv = { NODE_ENV: "production", PATH: process.env["PATH"], HOME: folder };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string]; // as readline documents "line"
  const { url } = JSON.parse(line) as { url: string }; // what `serve --json` prints
  const exited = once(child, "exit");
  return { url, stop: () => (child.kill("SIGTERM"), exited) };
}

async function useHall({ sessions: hall, jobs: workers }: HallClient): Promise<void> {
  for (const task of jobs) {
    const { jobId } = await dispatched(workers, task);
    for await (const { event } of workers.follow("researcher", jobId)) if (event.event === "done") break;
  }
  for (const { name, says } of sessions) {
    const { id } = await hall.create({ name });
    await hall.send(id, says);
    const end = says === "long answer" ? "text" : "done";
    for await (const { event } of hall.events(id)) if (event.event === end) break;
  }
}

/** A worker is there a moment after the hall. */
async function dispatched(workers: HallClient["jobs"], task: string): ReturnType<HallClient["jobs"]["dispatch"]> {
  for (;;) {
    try {
      return await workers.dispatch("researcher", { description: task, task });
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      await setTimeout(200);
    }
  }
}

async function photograph(url: string): Promise<void> {
  await mkdir(images, { recursive: true });
  const { executablePath, env } = await unpackChromium();
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox", "--disable-gpu"] });
  for (const theme of ["light", "dark"] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 640 }, deviceScaleFactor: 2, colorScheme: theme });
    for (const { name, path, heading } of pages) {
      await page.goto(url + path);
      await page.getByRole("heading", { name: heading, exact: true }).waitFor();
      await page.evaluate("document.fonts.ready.then(() => true)");
      await page.screenshot({ path: join(images, `${name}-${theme}.png`) });
    }
  }
  await browser.close();
}

await takeScreenshots();
