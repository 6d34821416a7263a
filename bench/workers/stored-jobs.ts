import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newMeta } from "../../guild-members/researcher/job-files.ts";

/** Jobs as the bundled worker leaves them, completed long ago. */
export async function storeJobs(folder: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await storeJob(folder, number);
}

export async function storeJob(folder: string, number: number): Promise<void> {
  const id = crypto.randomUUID();
  const job = join(folder, "jobs", id);
  await mkdir(job, { recursive: true });
  const meta = {
    ...newMeta(id, `Research ${number}: tides and what moves them`, new Date(1_767_225_600_000 + number * 1000)),
    status: "completed",
  };
  const files = {
    "meta.json": JSON.stringify(meta),
    "task.md": "Why?",
    "config.json": "{}",
    "status.md": "All sources are read.",
    "result.md": "The moon.",
  };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(job, name), content)));
}

/** What a list without anything kept in memory does: reads what each job is. */
export async function readJobsNaively(folder: string): Promise<unknown[]> {
  const jobs: unknown[] = [];
  const names = (await readdir(join(folder, "jobs"))).filter((name) => !name.startsWith("."));
  for (const id of names) jobs.push(JSON.parse(await readFile(join(folder, "jobs", id, "meta.json"), "utf8")));
  return jobs;
}
