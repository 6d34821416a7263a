import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Backend } from "../../adapters/agent/backend.ts";
import { removeTranscripts } from "../../adapters/agent/stale-transcripts.ts";
import type { TranscriptOwners } from "../../adapters/agent/stale-transcripts.ts";
import { absoluteFolders } from "../../adapters/files/absolute-folders.ts";
import { createFileJobEngine } from "../../adapters/files/engine/job-engine.ts";
import { sweepLeftovers } from "../../adapters/files/leftovers.ts";
import { createQueueFiles } from "../../adapters/files/message-queue.ts";
import { createProgressFiles } from "../../adapters/files/progress-files.ts";
import { createArtifactFiles } from "../../adapters/files/session-artifacts.ts";
import { createContextFiles } from "../../adapters/files/session-context.ts";
import { openSessionStore } from "../../adapters/files/session-store.ts";
import type { AgentRunner } from "../../core/agent/agent-run.ts";
import type { BuiltInTool } from "../../schema/agent-profile.ts";
import type { Roster } from "../../core/roster/roster.ts";
import { deleteOldSessions } from "../../core/session/retention.ts";
import { createSessions } from "../../core/session/sessions.ts";
import { SessionId } from "../../schema/ids.ts";
import { routesOf } from "../api/routes.ts";
import { configFoldersOf } from "./build-housekeeping.ts";
import type { Tasks } from "../housekeeping.ts";
import type { RunLimits } from "./build-run-limits.ts";
import type { Parts } from "./parts.ts";

/** Sessions with their files, their money and what keeps them from growing without bound. */
export async function buildSessions(
  parts: Parts,
  { runner, limits, members, backend }: { runner: AgentRunner; limits: RunLimits; members: Roster; backend: () => Backend },
) {
  const { config, layout, log, closers, hallEvents, streams } = parts;
  const onProblem = (err: unknown) => log.warn({ err }, "sessions");
  const store = await openSessionStore({
    layout,
    // What somebody edited by hand is told like any change.
    onFound: (id, status) => hallEvents.publish({ event: "session", data: { id, status } }),
    onProblem,
  });
  closers.push(store.close);
  const { ledger, running, slots, pauses } = limits;
  const context = createContextFiles({ layout, onProblem });
  const artifacts = createArtifactFiles(layout);
  const queue = createQueueFiles(layout);
  const { maxTurns, maxBudgetUsd, webTools } = config.agent;
  const transcripts: TranscriptOwners = {
    root: layout.sessions,
    work: "",
    isOurs: (name) => /^ses-[0-9a-z]{26}$/.test(name),
    async currentOf(name) {
      const session = await store.get(SessionId.parse(name)).catch(() => null);
      return session === null || session.status === "error" ? null : session.sdkSessionId;
    },
  };
  const engine = createFileJobEngine({
    folder: layout.engine.folder,
    earlierFolder: layout.earlierEngine.folder,
    onProblem: (err) => log.error({ err }, "job engine"),
  });
  closers.push(engine.close);
  await engine.start();
  const sessions = createSessions({
    store,
    engine,
    progress: createProgressFiles(layout.progress),
    queue,
    context,
    watchContext: context.watch,
    ledger,
    running,
    pauses,
    resumesAtReset: limits.resumesAtReset,
    newPromptId: () => randomUUID(),
    isEstimate: () => backend().info.backend === "endpoint",
    runner,
    slots,
    members,
    publish: hallEvents.publish,
    foldersOf: (id, folders) => absoluteFolders(layout.session(id).folder, folders),
    forgetConversation: (id) => removeTranscripts(configFoldersOf(layout, backend()), transcripts, id),
    limits: { maxTurns, maxBudgetUsd, perSessionUsd: config.limits.perSessionUsd },
    webTools: () => (webTools ? webToolsOf[backend().info.backend] : []),
    now: () => new Date().toISOString(),
    pause: (ms) => pause(ms),
    onProblem,
  });
  await sessions.start();

  const upkeep: Tasks = {
    "old sessions": () =>
      deleteOldSessions({
        retention: config.retention,
        list: sessions.list,
        get: sessions.get,
        remove: sessions.remove,
        hasQueue: async (id) => (await queue.read(id)).length > 0,
        now: Date.now,
        onDeleted: ({ id, name }, reason) => log.info({ id, name, reason }, "session deleted"),
        onProblem,
      }),
    leftovers: async () => {
      const { sessions: recent } = await store.list({ limit: 100 });
      return sweepLeftovers({ layout, now: Date.now(), recentSessions: recent.map(({ id }) => id) });
    },
    uploads: async () => artifacts.sweep(),
  };
  const { onContextChanged, onArtifactAdded } = sessions;
  const routes = routesOf.sessions({ sessions, context, artifacts, streams, onContextChanged, onArtifactAdded });
  return { sessions, routes, upkeep, transcripts };
}

/** Searching happens on Anthropic's own servers, so another endpoint cannot do it. */
const webToolsOf: Record<Backend["info"]["backend"], readonly BuiltInTool[]> = {
  claude: ["WebSearch", "WebFetch"],
  endpoint: ["WebFetch"],
  demo: ["WebSearch", "WebFetch"],
};
