import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { MemberProgram, MemberWatch } from "../../core/roster/member-launcher.ts";
import type { ConnectionSteps } from "./connection-steps.ts";
import { memberEnvironment, withPort } from "./member-environment.ts";
import type { DeathSignal } from "../processes/death-signal.ts";
import type { MemberLauncherDeps } from "./launcher-deps.ts";
import { startProcess } from "./member-process.ts";
import type { MemberProcess } from "./member-process.ts";

export type SpawnRequest = {
  program: MemberProgram;
  port: number | null;
  mark: string;
  steps: ConnectionSteps;
  signal: AbortSignal;
  watch: MemberWatch;
  parts: MemberLauncherDeps & { deathSignal: DeathSignal };
};

/** Starts the member's program. It is on record before it exists, so that no crash of ours can leave it unknown. */
export async function spawnMember({ program, port, mark, steps, signal, watch, parts }: SpawnRequest): Promise<MemberProcess> {
  const { name, folder, manifest } = program;
  const { command } = manifest.mcp;
  const args = manifest.mcp.args.map((arg) => withPort(arg, port));
  const line = [command, ...args].join(" ");
  return steps.take("spawned", line, async () => {
    const folders = { home: parts.homeOf(name), temporary: join(parts.homeOf(name), "tmp") };
    await mkdir(folders.temporary, { recursive: true, mode: 0o700 });
    const startedAt = parts.now();
    await parts.records.begin(name, { mark, port, startedAt });
    signal.throwIfAborted();
    const { hostEnv: host, nodeFolder, modelEnv, deathSignal } = parts;
    const env = memberEnvironment({ manifest, host, nodeFolder, folders, modelEnv: modelEnv(), port, mark });
    const found = await startProcess({ command, args, folder, env, mark, deathSignal }, watch.onStderr);
    watch.onSpawn(startedAt);
    // Without it the member is still known by its mark.
    await parts.records.identify(name, found.pid).catch(parts.onProblem);
    return { detail: `${line} (process ${found.pid})`, found };
  });
}
