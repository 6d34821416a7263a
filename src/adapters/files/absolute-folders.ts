import { join } from "node:path";
import type { AgentRun } from "../../core/agent/agent-run.ts";
import type { AgentProfile } from "../../schema/agent-profile.ts";

/** The folders of a profile, below that of the run's owner. */
export const absoluteFolders = (owner: string, { cwd, read, write }: AgentProfile["folders"]): AgentRun["folders"] => ({
  cwd: join(owner, cwd),
  read: read.map((path) => join(owner, path)),
  write: write.map((path) => join(owner, path)),
});
