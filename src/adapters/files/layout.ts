import { join } from "node:path";
import type { ApprovalId, EngineJobId, MemberName, JobRunId, SessionId, UploadId } from "../../schema/ids.ts";
import type { JobId } from "../../schema/job.ts";
import type { WorkerName } from "../../schema/worker-definition.ts";

export type Layout = ReturnType<typeof createLayout>;
export type EngineLayout = ReturnType<typeof createEngineLayout>;

/** Every path of the home folder. It only joins names: ids are branded, so nothing unchecked can become a path. */
export function createLayout(home: string) {
  const at = (...names: string[]) => join(home, ...names);
  return {
    home,
    version: at("version"),
    config: at("config.yaml"),
    personKey: at("person.key"),
    guildMembers: at("guild-members"),
    guildMember: (name: MemberName) => at("guild-members", name),
    removedMembers: at("removed-members"),
    nodeModules: at("node_modules"),
    sessions: at("sessions"),
    /** The same as `session(id).record`, for lists of very many. */
    sessionRecord: (id: SessionId) => recordIn(at("sessions", id)),
    session: (id: SessionId) => createSessionLayout(at("sessions", id)),
    state: at("state"),
    hallLock: at("state", "hall.lock"),
    hallRecord: at("state", "hall.json"),
    entryPage: at("state", "open.html"),
    memberStates: at("state", "members"),
    memberState: (name: MemberName) => at("state", "members", `${name}.json`),
    bundledMembers: at("state", "bundled-members.json"),
    packageLinks: at("state", "packages"),
    acceptedTools: at("state", "accepted-tools"),
    acceptedToolsOf: (name: MemberName) => at("state", "accepted-tools", `${name}.json`),
    toolCalls: at("state", "tool-calls.jsonl"),
    brokenToolCalls: at("state", "tool-calls.broken.jsonl"),
    savedCalls: at("state", "saved-calls.json"),
    memberHome: (name: MemberName) => at("state", "homes", name),
    agentStates: at("state", "agents"),
    spending: at("state", "spending.jsonl"),
    brokenSpending: at("state", "spending.broken.jsonl"),
    spendingDays: at("state", "spending.json"),
    dayLimit: at("state", "day-limit.json"),
    paused: at("state", "paused.json"),
    runSettings: at("state", "runs.json"),
    jobRecords: (worker: MemberName) => at("state", "jobs", worker),
    jobRecord: (worker: MemberName, id: JobId) => at("state", "jobs", worker, `${id}.json`),
    workers: at("workers"),
    worker: (name: WorkerName) => at("workers", `${name}.yaml`),
    jobs: at("jobs"),
    job: (id: JobRunId) => createRunLayout(at("jobs", id)),
    approvals: at("state", "approvals"),
    approval: (id: ApprovalId) => at("state", "approvals", `${id}.json`),
    uploads: at("state", "uploads"),
    upload: (session: SessionId, upload: UploadId) => at("state", "uploads", `${session}.${upload}`),
    engine: createEngineLayout(at("state", "engine")),
    earlierEngine: createEarlierEngineLayout(at("state", "queries")),
    progress: at("state", "progress"),
    index: at(".index"),
    messageIndex: at(".index", "messages.sqlite"),
    claude: {
      folder: at("claude"),
      home: at("claude", "home"),
      config: at("claude", "config"),
      temporary: at("claude", "tmp"),
    },
    logs: at("logs"),
    log: at("logs", "hall.log"),
  } as const;
}

/** What is in the folder of a session, also while that is on its way in. */
export const createSessionLayout = (folder: string) =>
  ({
    folder,
    record: recordIn(folder),
    messages: join(folder, "messages.jsonl"),
    context: join(folder, "context.md"),
    queue: join(folder, "queue.json"),
    run: join(folder, "run.json"),
    artifacts: join(folder, "artifacts"),
  }) as const;

/** The files of one job of a hall worker. */
const createRunLayout = (folder: string) =>
  ({
    folder,
    record: join(folder, "meta.json"),
    events: join(folder, "events.jsonl"),
    effects: join(folder, "effects.jsonl"),
    work: join(folder, "work"),
  }) as const;

const recordIn = (folder: string): string => join(folder, "session.json");

/** Where a job engine keeps its records. */
export function createEngineLayout(folder: string) {
  return {
    folder,
    open: join(folder, "open"),
    job: (id: EngineJobId) => join(folder, "open", `${id}.job.json`),
    lease: (id: EngineJobId, attempt: number) => join(folder, "open", `${id}.lease-${attempt}.json`),
    cancel: (id: EngineJobId) => join(folder, "open", `${id}.cancel.json`),
    ended: join(folder, "ended"),
    end: (id: EngineJobId) => join(folder, "ended", `${id}.json`),
  } as const;
}

/** The same, with the lock that an engine needed when several processes could work in its folder. */
export const createEarlierEngineLayout = (folder: string) =>
  ({ ...createEngineLayout(folder), lock: join(folder, "engine.lock") }) as const;
