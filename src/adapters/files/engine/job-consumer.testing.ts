import { createFileJobEngine } from "./job-engine.ts";

/** A program for tests: takes jobs from the folder, prints `<id> <attempt>` for each, and finishes none. */
const [folder = "", kind = "", concurrency, attempts] = process.argv.slice(2);

const engine = createFileJobEngine({ folder, recheckMs: 20 });
await engine.work(kind, { concurrency: Number(concurrency), attempts: Number(attempts) }, async ({ job, attempt }) => {
  process.stdout.write(`${job.id} ${attempt}\n`);
  await new Promise(() => undefined);
});
process.stdout.write("ready\n");
