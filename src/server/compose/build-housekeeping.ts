import type { Backend } from "../../adapters/agent/backend.ts";
import { removeStaleTranscripts } from "../../adapters/agent/stale-transcripts.ts";
import type { TranscriptOwners } from "../../adapters/agent/stale-transcripts.ts";
import type { Layout } from "../../adapters/files/layout.ts";
import { startHousekeeping } from "../housekeeping.ts";
import type { Tasks } from "../housekeeping.ts";
import type { Parts } from "./parts.ts";

type Upkeep = { tasks: Tasks; transcripts: readonly TranscriptOwners[]; backend: () => Backend };

/** Does the tasks of the parts of the hall, and removes the conversations that their owners have no use for. */
export function buildHousekeeping({ layout, log, closers }: Parts, { tasks, transcripts, backend }: Upkeep): void {
  const sweeps = transcripts.map((owners): [string, Tasks[string]] => [
    `stale conversations in ${owners.root}`,
    () => removeStaleTranscripts(configFoldersOf(layout, backend()), owners),
  ]);
  const housekeeping = startHousekeeping({ log, tasks: { ...tasks, ...Object.fromEntries(sweeps) } });
  closers.push(housekeeping.close);
}

/** With a login the SDK keeps conversations in the person's own folder. */
export const configFoldersOf = ({ claude }: Layout, { childEnv }: Backend): string[] =>
  [...new Set([claude.config, childEnv["CLAUDE_CONFIG_DIR"] ?? ""])].filter((folder) => folder !== "");
