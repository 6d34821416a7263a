import { homedir } from "node:os";
import type { Logger } from "pino";
import { createAgentRunner } from "../adapters/agent/agent-runner.ts";
import { findBackend } from "../adapters/agent/backend.ts";
import { createChildRecords } from "../adapters/files/child-records.ts";
import { createFileJobEngine } from "../adapters/files/engine/job-engine.ts";
import { openHome } from "../adapters/files/home.ts";
import { openSessionStore } from "../adapters/files/session-store.ts";
import { createScrubber } from "../core/guard/scrub.ts";
import { createSessions } from "../core/session/sessions.ts";
import type { Config } from "../schema/config.ts";
import type { ModelInfo } from "../schema/health.ts";
import { startDemoModel } from "../scripted-model/demo/start-demo-model.ts";
import { doctorRoute } from "./api/doctor.ts";
import { hallEventsRoute } from "./api/events.ts";
import { createApiHandler } from "./api/handler.ts";
import type { ApiHandler } from "./api/handler.ts";
import { healthRoute } from "./api/health.ts";
import { loginRoute } from "./api/login.ts";
import { findModelRoute } from "./api/model.ts";
import { openApiRoute } from "./api/openapi.ts";
import type { Route } from "./api/route.ts";
import { sessionRoutes } from "./api/sessions.ts";
import { createHallEvents } from "./hall-events.ts";
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
  /** Tells other programs of this user where the hall answers. */
  announce(url: string): Promise<void>;
  close(): Promise<{ interrupted: number }>;
};

/** The one place that builds adapters and puts the hall together. When it resolves, what a crash left is settled. */
export async function composeHall(options: HallOptions & { door: TokenDoor; startedAt: number }): Promise<ComposedHall> {
  const { config, version, door } = options;
  const home = await openHome(options.home, { address: null, version });
  const { layout } = home;
  const closers: (() => Promise<unknown>)[] = [home.release];
  try {
    const { env } = await options.machine.environment();
    const scrub = createScrubber([options.token, ...credentialsOf(env)]);
    const log = createHallLog({ folder: layout.logs, ...config.logs, scrub });
    closers.push(log.flush);

    const demo = await startDemoModel();
    closers.push(demo.close);
    const lookForModel = async () =>
      findBackend({
        env: (await options.machine.environment()).env,
        userHome: homedir(),
        demoUrl: demo.url,
        ...(config.model === null ? {} : { model: config.model }),
      });
    let backend = await lookForModel();

    const children = createChildRecords(layout.agentStates, (err) => log.logger.warn({ err }, "a child could not be recorded"));
    const orphans = await children.endOrphans();
    if (orphans > 0) log.logger.warn({ orphans }, "ended agents that a killed hall had left");

    const store = await openSessionStore({
      layout,
      onFound: (id) => hallEvents.publish({ event: "session", data: { id, status: null } }),
      onProblem: (err) => log.logger.warn({ err }, "session files"),
    });
    closers.push(store.close);
    const runner = createAgentRunner({
      backend: () => backend,
      folders: { home: layout.claude.home, config: layout.claude.config, temporary: layout.claude.temporary },
      hostEnv: env,
      onSpawn: children.onSpawn,
      onExit: children.onExit,
      limits: {
        maxRuns: config.runs.atOnce,
        stallMs: config.agent.stallSeconds * 1000,
        ...(config.runs.startsAtOnce === null ? {} : { maxStarting: config.runs.startsAtOnce }),
      },
    });
    closers.push(runner.close);

    const hallEvents = createHallEvents();
    const sessions = createSessions({
      store,
      engine: createFileJobEngine({ folder: layout.queries.folder, onProblem: (err) => log.logger.error({ err }, "job engine") }),
      runner,
      publish: hallEvents.publish,
      foldersOf: layout.session,
      limits: { concurrency: config.runs.atOnce, attempts: 1, maxTurns: config.agent.maxTurns, maxBudgetUsd: config.agent.maxBudgetUsd },
      now: () => new Date().toISOString(),
    });
    await sessions.start();

    const streams = createStreamLimit(config.streams.max);
    const findModel = async (): Promise<ModelInfo> => (backend = await lookForModel()).info;
    const routes: Route[] = [
      healthRoute({ version, startedAt: options.startedAt, model: () => backend.info }),
      openApiRoute(version, () => routes),
      doctorRoute(async () => options.machine.examine({ home: layout.home, host: config.host, port: config.port, model: config.model })),
      findModelRoute(findModel),
      loginRoute(door),
      hallEventsRoute({ hallEvents, streams }),
      ...sessionRoutes({ sessions, streams }),
    ];
    log.logger.info({ version, home: layout.home, model: backend.info }, "hall started");

    return {
      fetch: createApiHandler(routes, { log: log.logger, scrub }),
      log: log.logger,
      announce: home.announce,
      async close() {
        const { interrupted } = await sessions.close();
        hallEvents.close();
        log.logger.info({ interrupted }, "hall stopped");
        await closeAll(closers);
        return { interrupted };
      },
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Last opened, first closed. One that fails does not keep the others open. */
async function closeAll(closers: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

const credentialsOf = (env: NodeJS.ProcessEnv) => [env["ANTHROPIC_API_KEY"], env["ANTHROPIC_AUTH_TOKEN"], env["CLAUDE_CODE_OAUTH_TOKEN"]];
