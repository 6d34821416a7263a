import { homedir } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { createAgentRunner } from "../adapters/agent/agent-runner.ts";
import { findBackend } from "../adapters/agent/backend.ts";
import type { Backend } from "../adapters/agent/backend.ts";
import { installBundledMembers } from "../adapters/files/members/bundled-members.ts";
import { createAcceptedTools } from "../adapters/files/members/accepted-tools.ts";
import { createMemberFolders } from "../adapters/files/members/member-folders.ts";
import { createMemberRecords } from "../adapters/files/members/member-records.ts";
import { createToolCallStore } from "../adapters/files/members/tool-call-store.ts";
import { createChildRecords } from "../adapters/files/child-records.ts";
import { createFileJobEngine } from "../adapters/files/engine/job-engine.ts";
import { openHome } from "../adapters/files/home.ts";
import type { Layout } from "../adapters/files/layout.ts";
import { createQueueFiles } from "../adapters/files/message-queue.ts";
import { createProgressFiles } from "../adapters/files/progress-files.ts";
import { openSessionStore } from "../adapters/files/session-store.ts";
import { createInputChecker } from "../adapters/check-input.ts";
import { hashTool } from "../adapters/members/hash-tool.ts";
import { createMemberLauncher } from "../adapters/members/member-launcher.ts";
import type { AgentRunner, BuiltInTool } from "../core/agent/agent-run.ts";
import { createScrubber } from "../core/guard/scrub.ts";
import { createRoster } from "../core/roster/roster.ts";
import type { Roster } from "../core/roster/roster.ts";
import { createSessions } from "../core/session/sessions.ts";
import type { Sessions } from "../core/session/sessions.ts";
import type { Config } from "../schema/config.ts";
import { startDemoModel } from "../scripted-model/demo/start-demo-model.ts";
import { createApiHandler } from "./api/handler.ts";
import type { ApiHandler } from "./api/handler.ts";
import { apiRoutes } from "./api/routes.ts";
import { createHallEvents } from "./hall-events.ts";
import type { HallEvents } from "./hall-events.ts";
import { createHallLog } from "./log.ts";
import { createStreamLimit } from "./stream-limit.ts";
import type { TokenDoor } from "./token.ts";
import type { Machine } from "./without-hall.ts";

export type HallOptions = {
  home: string;
  /** config.yaml with what environment and flags put above it. */
  config: Config;
  token: string | null;
  version: string;
  /** Where credentials and everything else outside the home is looked for, again whenever a person asks. */
  machine: Machine;
};

export type ComposedHall = {
  fetch: ApiHandler;
  log: Logger;
  /** Tells other programs of this user where the hall answers, and begins to start the members. */
  announce(url: string): Promise<void>;
  close(): Promise<{ interrupted: number }>;
};

/** The one place that builds adapters and puts the hall together. When it resolves, what a crash left is settled. */
export async function composeHall(options: HallOptions & { door: TokenDoor; startedAt: number; project: string }): Promise<ComposedHall> {
  const { config, version, token, door, machine, startedAt } = options;
  const home = await openHome(options.home, { address: null, version });
  const closers: Closer[] = [home.release];
  try {
    const { env } = await machine.environment();
    const scrub = createScrubber([token, env["ANTHROPIC_API_KEY"], env["ANTHROPIC_AUTH_TOKEN"], env["CLAUDE_CODE_OAUTH_TOKEN"]]);
    const { logger: log, flush } = createHallLog({ folder: home.layout.logs, ...config.logs, scrub });
    closers.push(flush);
    const parts: Parts = { config, version, layout: home.layout, log, env, closers, hallEvents: createHallEvents() };

    let { port } = config;
    const model = await connectModel(parts, machine);
    const runner = await buildRunner(parts, model.backend);
    const roster = await buildRoster(parts, options.project, model.backend);
    const sessions = await buildSessions(parts, runner, roster, model.backend);
    roster.onOffersChange(sessions.onMemberChange);
    const routes = apiRoutes({
      version,
      startedAt,
      model: () => model.backend().info,
      findModel: model.find,
      runDoctor: () => machine.examine({ home: home.layout.home, host: config.host, port, model: config.model }),
      door,
      hallEvents: parts.hallEvents,
      streams: createStreamLimit(config.streams.max),
      sessions,
      roster,
    });
    log.info({ version, home: home.layout.home, model: model.backend().info }, "hall started");

    return {
      fetch: createApiHandler(routes, { log, scrub }),
      log,
      announce(url) {
        port = Number(new URL(url).port);
        // Not before the hall answers: many members at once would take the processor from its own start.
        roster.start();
        return home.announce(url);
      },
      async close() {
        const { interrupted } = await sessions.close();
        parts.hallEvents.close();
        log.info({ interrupted }, "hall stopped");
        await closeAll(closers);
        return { interrupted };
      },
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

type Closer = () => Promise<unknown>;

type Parts = {
  config: Config;
  version: string;
  layout: Layout;
  log: Logger;
  env: NodeJS.ProcessEnv;
  closers: Closer[];
  hallEvents: HallEvents;
};

/** The demo model always listens: a person may take the key away again, and nothing else would answer. */
async function connectModel({ config, closers }: Parts, machine: Machine) {
  const demo = await startDemoModel();
  closers.push(demo.close);
  const look = async (): Promise<Backend> => {
    const { env } = await machine.environment();
    return findBackend({ env, userHome: homedir(), demoUrl: demo.url, ...(config.model === null ? {} : { model: config.model }) });
  };
  let backend = await look();
  return { backend: () => backend, find: async () => (backend = await look()).info };
}

async function buildRunner({ config, layout, log, env, closers }: Parts, backend: () => Backend): Promise<AgentRunner> {
  const children = createChildRecords(layout.agentStates, (err) => log.warn({ err }, "a child could not be recorded"));
  const orphans = await children.endOrphans();
  if (orphans > 0) log.warn({ orphans }, "ended agents that a killed hall had left");
  const { atOnce, startsAtOnce } = config.runs;
  const runner = createAgentRunner({
    backend,
    folders: { home: layout.claude.home, config: layout.claude.config, temporary: layout.claude.temporary },
    hostEnv: env,
    onSpawn: children.onSpawn,
    onExit: children.onExit,
    limits: { maxRuns: atOnce, stallMs: config.agent.stallSeconds * 1000, ...(startsAtOnce === null ? {} : { maxStarting: startsAtOnce }) },
  });
  closers.push(runner.close);
  return runner;
}

async function buildRoster(
  { config, version, layout, log, env, closers, hallEvents }: Parts,
  project: string,
  backend: () => Backend,
): Promise<Roster> {
  const onProblem = (err: unknown) => log.warn({ err }, "members");
  const { startsAtOnce, handshakeSeconds, callSeconds } = config.members;
  const launcher = createMemberLauncher({
    limits: { startsAtOnce, handshakeMs: handshakeSeconds * 1000, callMs: callSeconds * 1000 },
    version,
    hostEnv: env,
    nodeFolder: dirname(process.execPath),
    modelEnv: () => modelVariables(backend()),
    homeOf: layout.memberHome,
    records: createMemberRecords(layout),
    now: () => new Date().toISOString(),
    onProblem,
  });
  const orphans = await launcher.endOrphans();
  if (orphans > 0) log.warn({ orphans }, "ended members that a killed hall had left");
  // A disk that is full or only for reading costs the hall new copies, and not its start.
  await installBundledMembers({ layout, project, onProblem }).catch(onProblem);
  const roster = createRoster({
    launcher,
    folders: createMemberFolders({ layout, onProblem }),
    accepted: createAcceptedTools(layout),
    calls: createToolCallStore({ layout, onProblem }),
    checkInput: createInputChecker(),
    hashOf: hashTool,
    publish: hallEvents.publish,
    now: Date.now,
    schedule(ms, work) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    onProblem,
  });
  closers.push(roster.close);
  // What cannot be seen now may be seen later; a hall without members is a hall too.
  await roster.look().catch(onProblem);
  return roster;
}

/** What a worker of a member needs to reach the same model as the hall. */
const modelVariables = ({ childEnv, model }: Backend): Record<string, string> => ({
  ...childEnv,
  ...(model === undefined ? {} : { GUILD_HALL_MODEL: model }),
});

async function buildSessions(
  { config, layout, log, closers, hallEvents }: Parts,
  runner: AgentRunner,
  members: Roster,
  backend: () => Backend,
): Promise<Sessions> {
  const store = await openSessionStore({
    layout,
    // What somebody edited by hand is told like any change.
    onFound: (id, status) => hallEvents.publish({ event: "session", data: { id, status } }),
    onProblem: (err) => log.warn({ err }, "session files"),
  });
  closers.push(store.close);
  const { maxTurns, maxBudgetUsd, webTools } = config.agent;
  const sessions = createSessions({
    store,
    engine: createFileJobEngine({ folder: layout.queries.folder, onProblem: (err) => log.error({ err }, "job engine") }),
    progress: createProgressFiles(layout.progress),
    queue: createQueueFiles(layout),
    runner,
    members,
    publish: hallEvents.publish,
    foldersOf: layout.session,
    // An interrupted query is not taken up again by itself: the person decides whether to go on.
    limits: { concurrency: config.runs.atOnce, attempts: 1, maxTurns, maxBudgetUsd },
    webTools: () => (webTools ? webToolsOf[backend().info.backend] : []),
    now: () => new Date().toISOString(),
    pause: (ms) => pause(ms),
    onProblem: (err) => log.warn({ err }, "a query could not be settled"),
  });
  await sessions.start();
  return sessions;
}

/** Searching happens on Anthropic's own servers, so another endpoint cannot do it. */
const webToolsOf: Record<Backend["info"]["backend"], readonly BuiltInTool[]> = {
  claude: ["WebSearch", "WebFetch"],
  endpoint: ["WebFetch"],
  demo: ["WebSearch", "WebFetch"],
};

/** Last opened, first closed. One that fails does not keep the others open. */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
