import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ReplyFunction, ScriptedModel } from "../../src/scripted-model/server.ts";
import type { HallProcess, spawnHall } from "../hall-process.ts";
import { furnishHome, replyOfFurnishing } from "./furnish-home.ts";
import { bundled, replyAfterwards, untilAtRest } from "./opened-again.ts";
import { packHome, textWithoutPlace, unpackHome } from "./packed-home.ts";
import { seenIn } from "./seen-in.ts";

/**
 * Makes the homes of this folder, with the hall of another checkout: `node test/homes/make-homes.ts <checkout> <commit>`. The checkout
 * has its packages and its pages (`npm ci`, `node scripts/build-web.ts`). Beside each home is written what that hall itself shows
 * when it opens a copy of it.
 */
const [checkout = "", commit = ""] = process.argv.slice(2);
const old = (await import(join(checkout, "test/hall-process.ts"))) as { spawnHall: typeof spawnHall }; // the same file, of then
const folder = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-homes-")));
/** Follows the group `runs` that the settings of a test begin with. */
const config = "  atOnce: 2\nlimits:\n  perSessionUsd: 20\n";

for (const [kind, signal] of [
  ["stopped", "SIGTERM"],
  ["killed", "SIGKILL"],
] as const) {
  const at = (name: string): string => join(folder, `${kind}-${name}`);
  const packed = join(import.meta.dirname, `${kind}-${commit}`);
  await mkdir(at("packed"));
  await withModel(replyOfFurnishing, async (env, model) => {
    const hall = await old.spawnHall(at("home"), { env, waiting: false, config });
    try {
      await furnishHome(hall, model);
    } finally {
      await hall.end(signal);
    }
    await packHome(hall.home, `${packed}.tar.gz`, at("packed"));
  });
  await withModel(replyAfterwards, async (env) => {
    const home = at("again");
    await unpackHome(`${packed}.tar.gz`, home, at("unpacked"));
    for (const name of bundled) await cp(join(checkout, "guild-members", name), join(home, "guild-members", name), { recursive: true });
    const hall: HallProcess = await old.spawnHall(home, { env, bundled: false, waiting: false });
    try {
      await untilAtRest(hall);
      const seen = await seenIn(hall.client, home);
      await writeFile(`${packed}.json`, `${textWithoutPlace(JSON.stringify(seen, null, 2), home)}\n`);
    } finally {
      await hall.end("SIGTERM");
    }
  });
}
await rm(folder, { recursive: true });

async function withModel(script: ReplyFunction, work: (env: Record<string, string>, model: ScriptedModel) => Promise<void>): Promise<void> {
  const model = await startScriptedModel({ script });
  try {
    await work({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" }, model);
  } finally {
    await model.close();
  }
}
