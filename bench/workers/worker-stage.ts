import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { listening, spawnResearcher } from "../../test/researcher/researcher-process.ts";
import type { Researcher, SpawnedResearcher } from "../../test/researcher/researcher-process.ts";

type Staged = { member: Researcher; spawned: SpawnedResearcher; model: ScriptedModel; folder: string };
type StageNeeds = {
  reply: (step: number) => Reply;
  /** Fills the member's folder before it starts. */
  prepare?: (folder: string) => Promise<void>;
  env?: Record<string, string>;
};

/** A researcher and its model for as long as the work takes. */
export async function withWorker<Result>({ reply, prepare, env }: StageNeeds, work: (staged: Staged) => Promise<Result>): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-bench-")));
  const model = await startScriptedModel({
    script: ({ messages }) => reply(messages.filter(({ role }) => role === "assistant").length + 1),
    keep: { count: 1, bytes: 1 },
  });
  try {
    await prepare?.(folder);
    const spawned = await spawnResearcher(folder, model.url, env);
    try {
      return await work({ member: await listening(folder, spawned), spawned, model, folder });
    } finally {
      spawned.child.kill("SIGKILL");
      await spawned.exited;
    }
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
