import { parseArgs } from "node:util";
import type { BenchRow } from "./bench-row.ts";
import { createEffort } from "./effort.ts";
import type { Effort } from "./effort.ts";
import { printTable } from "./print-table.ts";
import { keepResults, writeDocuments } from "./report/documents.ts";

/**
 * `npm run bench [-- part … --write --trial --minutes N]`: measures side by side in one run and says whether each budget
 * holds. `--write` keeps what was measured and writes docs/performance.md and its chart; `--draw` writes them from what is kept.
 */
const parts: Record<string, (effort: Effort) => Promise<BenchRow[]>> = {
  agent: async (effort) => (await import("./agent/bench-agent.ts")).benchAgent(effort),
  index: async (effort) => (await import("./index/bench-index.ts")).benchIndex(effort),
  hall: async (effort) => (await import("./hall/bench-hall.ts")).benchHall(effort),
  members: async (effort) => (await import("./members/bench-members.ts")).benchMembers(effort),
  workers: async (effort) => (await import("./workers/bench-workers.ts")).benchWorkers(effort),
  web: async (effort) => (await import("./web/bench-web.ts")).benchWeb(effort),
  load: async (effort) => (await import("./load/bench-load.ts")).benchLoad(effort),
  idle: async (effort) => (await import("./idle/bench-idle.ts")).benchIdle(effort),
};

/** It takes long whatever the machine can do. */
const onlyByName = "idle";

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    draw: { type: "boolean", default: false },
    trial: { type: "boolean", default: false },
    minutes: { type: "string", default: "20" },
  },
});
const minutes = Number(values.minutes);
const unknown = named.filter((name) => !(name in parts));
if (unknown.length > 0) stop(`There is no part called ${unknown.join(", ")}. Known parts: ${Object.keys(parts).join(", ")}.`);
if (!(minutes > 0)) stop("--minutes must be a number above 0.");

if (values.draw) await writeDocuments();
else await measure();

async function measure(): Promise<void> {
  const effort = createEffort({ isTrial: values.trial, minutes });
  const rows: BenchRow[] = [];
  for (const [name, run] of Object.entries(parts)) {
    if (named.length > 0 ? !named.includes(name) : name === onlyByName) continue;
    process.stderr.write(`measuring ${name} …\n`);
    const found = await run(effort);
    // At once: a part that fails later does not take with it what took an hour.
    if (values.write) await keepResults(name, found, effort);
    rows.push(...found);
  }
  if (values.write) await writeDocuments();
  process.stdout.write(printTable(rows));
  if (named.length === 0)
    process.stderr.write(`Left out: ${onlyByName}, which takes ${minutes} minutes. Ask for it by name: npm run bench -- ${onlyByName}\n`);
  process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
}

function stop(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
