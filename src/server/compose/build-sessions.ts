import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Backend } from "../../adapters/agent/backend.ts";
import { removeStaleTranscripts, removeTranscripts } from "../../adapters/agent/stale-transcripts.ts";
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
import { startHousekeeping } from "../housekeeping.ts";
import type { RunLimits } from "./build-run-limits.ts";
import type { Parts } from "./parts.ts";

/** Sessions with their files, their money and what keeps them from growing without bound. */
export async function buildSessions(
  parts: Parts,
  { runner, limits, members, backend }: { runner: AgentRunner; limits: RunLimits; members: Roster; backend: () => Backend },
) {
  const { config, layout, log, closers, hallEvents } = parts;
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
    resumesAtReset: config.runs.resumeAtReset,
    newPromptId: () => randomUUID(),
    isEstimate: () => backend().info.backend === "endpoint",
    runner,
    slots,
    members,
    publish: hallEvents.publish,
    foldersOf: layout.session,
    forgetConversation: (id) => removeTranscripts(conversationPlaces(parts, backend()), id),
    limits: { maxTurns, maxBudgetUsd, perSessionUsd: config.limits.perSessionUsd },
    webTools: () => (webTools ? webToolsOf[backend().info.backend] : []),
    now: () => new Date().toISOString(),
    pause: (ms) => pause(ms),
    onProblem,
  });
  await sessions.start();

  const housekeeping = startHousekeeping({
    log,
    tasks: {
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
      "stale conversations": () =>
        removeStaleTranscripts(conversationPlaces(parts, backend()), async (name) => {
          const session = await store.get(SessionId.parse(name)).catch(() => null);
          return session === null || session.status === "error" ? null : session.sdkSessionId;
        }),
      leftovers: async () => {
        const { sessions: recent } = await store.list({ limit: 100 });
        return sweepLeftovers({ layout, now: Date.now(), recentSessions: recent.map(({ id }) => id) });
      },
      uploads: async () => artifacts.sweep(),
    },
  });
  closers.push(housekeeping.close);
  return { sessions, context, artifacts };
}

/** With a login the SDK keeps conversations in the person's own folder. */
const conversationPlaces = ({ layout }: Parts, { childEnv }: Backend) => ({
  configFolders: [...new Set([layout.claude.config, childEnv["CLAUDE_CONFIG_DIR"] ?? ""])].filter((folder) => folder !== ""),
  root: layout.sessions,
  isOurs: (name: string) => /^ses-[0-9a-z]{26}$/.test(name),
});

/** Searching happens on Anthropic's own servers, so another endpoint cannot do it. */
const webToolsOf: Record<Backend["info"]["backend"], readonly BuiltInTool[]> = {
  claude: ["WebSearch", "WebFetch"],
  endpoint: ["WebFetch"],
  demo: ["WebSearch", "WebFetch"],
};
