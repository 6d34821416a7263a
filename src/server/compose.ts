import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { Backend } from "../adapters/agent/backend.ts";
import { credentialsIn } from "../adapters/agent/child-environment.ts";
import { createDiskMeter } from "../adapters/files/disk-usage.ts";
import { openHome } from "../adapters/files/home.ts";
import { takePersonKey } from "../adapters/files/person-key.ts";
import { createScrubber } from "../core/guard/scrub.ts";
import type { Config } from "../schema/config.ts";
import { createApiHandler } from "./api/handler.ts";
import type { ApiHandler } from "./api/handler.ts";
import { apiRoutes, routesOf } from "./api/routes.ts";
import { buildHousekeeping } from "./compose/build-housekeeping.ts";
import { buildJobs } from "./compose/build-jobs.ts";
import { buildRoster } from "./compose/build-roster.ts";
import { buildRunLimits } from "./compose/build-run-limits.ts";
import { buildRuns } from "./compose/build-runs.ts";
import { buildRunner } from "./compose/build-runner.ts";
import { buildSessions } from "./compose/build-sessions.ts";
import { connectModel } from "./compose/connect-model.ts";
import type { Closer, Parts } from "./compose/parts.ts";
import { createDoor } from "./door.ts";
import type { Door } from "./door.ts";
import { createEntryCodes } from "./entry-codes.ts";
import type { EntryCodes } from "./entry-codes.ts";
import { createHallEvents } from "./hall-events.ts";
import { createHallLog } from "./log.ts";
import { createEventStreams } from "./event-streams.ts";
import { portOfAddress } from "./port-of-address.ts";
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
  door: Door;
  codes: EntryCodes;
  log: Logger;
  /** The mark of what sessions are like now: see changes-header.ts. */
  changes(): string;
  /** Tells other programs of this user where the hall answers, and begins to start the members. */
  announce(url: string): Promise<void>;
  close(): Promise<{ interrupted: number }>;
};

/** The one place that builds adapters and puts the hall together. When it resolves, what a crash left is settled. */
export async function composeHall(options: HallOptions & { startedAt: number; project: string }): Promise<ComposedHall> {
  const { config, version, token, machine, startedAt } = options;
  const home = await openHome(options.home, { address: null, version });
  const closers: Closer[] = [home.release];
  try {
    const { env } = await machine.environment(home.layout.home);
    const personKey = await takePersonKey(home.layout);
    const door = createDoor({ token, personKey });
    const codes = createEntryCodes();
    const secrets = new Set([token, personKey]);
    let scrubber = createScrubber([...secrets]);
    const scrub = (text: string): string => scrubber(text);
    /** What is no longer in use stays a secret. */
    const keepSecret = ({ childEnv }: Backend): void => {
      for (const secret of credentialsIn(childEnv)) secrets.add(secret);
      scrubber = createScrubber([...secrets]);
    };
    const { logger: log, flush } = createHallLog({ path: home.layout.log, ...config.logs, scrub });
    closers.push(flush);
    const parts: Parts = {
      config,
      version,
      layout: home.layout,
      log,
      env,
      closers,
      hallEvents: createHallEvents(),
      streams: createEventStreams(config.streams.max),
    };

    let { port } = config;
    const model = await connectModel(parts, machine);
    keepSecret(model.backend());
    const runner = await buildRunner(parts, model.backend);
    const { roster, routes: ofRoster } = await buildRoster(parts, options.project, model.backend);
    const limits = await buildRunLimits(parts);
    const jobs = buildJobs(parts, roster.workers);
    const { sessions, ...ofSessions } = await buildSessions(parts, { runner, limits, members: roster, backend: model.backend });
    const isEstimate = (): boolean => model.backend().info.backend === "endpoint";
    const ofRuns = await buildRuns(parts, { runner, limits, isEstimate, sessions, jobs });
    const transcripts = [ofSessions.transcripts, ofRuns.transcripts];
    buildHousekeeping(parts, { tasks: ofSessions.upkeep, transcripts, backend: model.backend });
    const disk = createDiskMeter({ home: home.layout.home });
    closers.push(disk.close);
    roster.onOffersChange(sessions.onMemberChange);
    const ofHall = routesOf.hall({
      version,
      startedAt,
      model: () => model.backend().info,
      async findModel() {
        const before = model.backend();
        const info = await model.find();
        const found = model.backend();
        keepSecret(found);
        if (!isDeepStrictEqual(before, found)) roster.restartWorkers();
        return info;
      },
      runDoctor: () => machine.examine({ home: home.layout.home, host: config.host, port, model: config.model, diskUsage: disk.usage }),
      door,
      codes,
      hallEvents: parts.hallEvents,
      streams: parts.streams,
      sessions,
      jobs,
      diskUsage: disk.usage,
      retention: config.retention,
    });
    limits.running.onMoneyFreed(() => {
      sessions.runs.onMoneyFreed();
      ofRuns.runs.onMoneyFreed();
    });
    const ofSpending = routesOf.spending({ ledger: limits.ledger });
    const routes = apiRoutes(version, [...ofRoster, ...ofSessions.routes, ...ofRuns.routes, ...ofSpending, ...ofHall]);
    log.info({ version, home: home.layout.home, model: model.backend().info }, "hall started");

    return {
      fetch: createApiHandler(routes, { log, scrub, door }),
      door,
      codes,
      log,
      changes: parts.hallEvents.changes,
      announce(url) {
        port = portOfAddress(url);
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

/** Last opened, first closed. One that fails does not keep the others open. */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
