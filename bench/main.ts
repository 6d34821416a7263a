import type { BenchRow } from "./bench-row.ts";
import { printTable } from "./print-table.ts";

/** `npm run bench [part …]`: measures side by side in one run and says whether each budget holds. */
const parts: Record<string, () => Promise<BenchRow[]>> = {
  agent: async () => (await import("./agent/bench-agent.ts")).benchAgent(),
  index: async () => (await import("./index/bench-index.ts")).benchIndex(),
  hall: async () => (await import("./hall/bench-hall.ts")).benchHall(),
  members: async () => (await import("./members/bench-members.ts")).benchMembers(),
  workers: async () => (await import("./workers/bench-workers.ts")).benchWorkers(),
  web: async () => (await import("./web/bench-web.ts")).benchWeb(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  process.stderr.write(`There is no part called ${unknown.join(", ")}. Known parts: ${Object.keys(parts).join(", ")}.\n`);
  process.exit(2);
}

const rows: BenchRow[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  rows.push(...(await run()));
}
process.stdout.write(printTable(rows));
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
