import { dirname } from "node:path";
import type { Backend } from "../../adapters/agent/backend.ts";
import { createInputChecker } from "../../adapters/check-input.ts";
import { createAcceptedTools } from "../../adapters/files/members/accepted-tools.ts";
import { installBundledMembers } from "../../adapters/files/members/bundled-members.ts";
import { createMemberFolders } from "../../adapters/files/members/member-folders.ts";
import { createMemberRecords } from "../../adapters/files/members/member-records.ts";
import { createToolCallStore } from "../../adapters/files/members/tool-call-store.ts";
import { hashTool } from "../../adapters/members/hash-tool.ts";
import { createMemberLauncher } from "../../adapters/members/member-launcher.ts";
import { createRoster } from "../../core/roster/roster.ts";
import type { Roster } from "../../core/roster/roster.ts";
import type { Route } from "../api/route.ts";
import { routesOf } from "../api/routes.ts";
import type { Parts } from "./parts.ts";
import { schedule } from "./schedule.ts";

export async function buildRoster(
  { config, version, layout, log, env, closers, hallEvents }: Parts,
  project: string,
  backend: () => Backend,
): Promise<{ roster: Roster; routes: Route[] }> {
  const onProblem = (err: unknown) => log.warn({ err }, "members");
  const { startsAtOnce, handshakeSeconds, callSeconds } = config.members;
  const launcher = createMemberLauncher({
    limits: { startsAtOnce, handshakeMs: handshakeSeconds * 1000, callMs: callSeconds * 1000 },
    version,
    hostEnv: env,
    nodeFolder: dirname(process.execPath),
    modelEnv: () => modelVariables(backend()),
    homeOf: layout.memberHome,
    records: createMemberRecords({ layout, onProblem }),
    now: () => new Date().toISOString(),
    onProblem,
  });
  // Without its records the hall cannot tell what it left; it can open all the same.
  const orphans = await launcher.endOrphans().catch((error: unknown) => {
    onProblem(error);
    return 0;
  });
  if (orphans > 0) log.warn({ orphans }, "ended members that a killed hall had left");
  // A disk that is full or only for reading costs the hall new copies, and not its start.
  await installBundledMembers({ layout, project, onProblem }).catch(onProblem);
  const roster = createRoster({
    launcher,
    folders: createMemberFolders({ layout, onProblem }),
    accepted: createAcceptedTools(layout),
    calls: createToolCallStore({ layout, onProblem }),
    checkInput: createInputChecker(onProblem),
    hashOf: hashTool,
    publish: hallEvents.publish,
    now: Date.now,
    schedule,
    onProblem,
  });
  closers.push(roster.close);
  // What cannot be seen now may be seen later; a hall without members is a hall too.
  await roster.look().catch(onProblem);
  return { roster, routes: routesOf.roster({ roster }) };
}

/** What a worker of a member needs to reach the same model as the hall. */
const modelVariables = ({ childEnv, model }: Backend): Record<string, string> => ({
  ...childEnv,
  ...(model === undefined ? {} : { GUILD_HALL_MODEL: model }),
});
