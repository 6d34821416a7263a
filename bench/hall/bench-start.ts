import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchRow } from "../bench-row.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";
import { serving } from "./serving.ts";

const project = join(import.meta.dirname, "../..");
const coldBudgetMs = 180_000;
const warmBudgetMs = 5_000;

/** From the command to a served page: once from a clean clone, and several times where everything is built. */
export async function benchStart(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    const clone = join(folder, "clone");
    const installMs = await timed(async () => {
      run("git", ["clone", "--quiet", "--no-hardlinks", project, clone], folder);
      run("npm", ["ci", "--prefer-offline"], clone);
    });
    const coldMs = installMs + (await timed(() => serveOnce(clone, join(folder, "cold-home"))));
    const warm: number[] = [];
    for (let round = 0; round < 3; round += 1) warm.push(await timed(() => serveOnce(clone, join(folder, "warm-home"))));
    return [
      measured({
        name: "cold: clone, npm ci, npm start to a served page",
        ours: coldMs,
        unit: "ms",
        baseline: { value: installMs, of: "clone and npm ci alone" },
        budget: { most: coldBudgetMs },
      }),
      measured({ name: "warm: npm start to a served page", ours: median(warm), unit: "ms", budget: { most: warmBudgetMs } }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const serveOnce = (checkout: string, home: string): Promise<void> =>
  serving(
    home,
    async (url) => {
      for (const path of ["/api/health", "/"]) {
        const answer = await fetch(url + path);
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        await answer.text();
      }
    },
    checkout,
  );

function run(command: string, args: string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
}
