/** The four of the protocol. A job that waits for its turn is `running`, and its summary says so. */
export type JobStatus = "running" | "completed" | "failed" | "cancelled";

export type JobUsage = { turns: number; costUsd: number; maxTurns: number | null; maxBudgetUsd: number | null };

export type JobDecision = { question: string; decision: string; reasoning: string };

/** One run of the agent, and what it may use. Made of the member's defaults and the `config` of a dispatch. */
export type JobSettings = {
  maxTurns: number;
  maxBudgetUsd: number;
  /** Null leaves the choice to the SDK. */
  model: string | null;
  /** How much of the memory, in characters, the agent is given at its start. */
  memoryCharacters: number;
  /** How often a job is begun before a member that died under it each time gives it up. */
  maxAttempts: number;
};

/** `meta.json`. The summary is in `status.md`, the task in `task.md`: each thing is written once. */
export type JobMeta = {
  version: 1;
  id: string;
  status: JobStatus;
  description: string;
  startedAt: string;
  completedAt: string | null;
  error: string | null;
  /** How often the agent was started for it; 0 while it waits for its turn. */
  attempt: number;
  /** How often the member died while the agent was at work. */
  interruptions: number;
  /** The process that runs it: set before the agent starts, null when it is at rest. */
  runner: ProcessIdentity | null;
  /** The SDK's process, which could outlive a runner that is killed. */
  agent: AgentIdentity | null;
  openQuestions: number;
  usage: JobUsage;
  /** What the result names, relative to the job's folder; null names everything that was written. */
  artifacts: string[] | null;
};

/** One life of one process: a process id comes back, together with the moment it began it does not. */
export type ProcessIdentity = { pid: number; started: string };

/** `folder` is the job's, as it is told from a copy: the agent of a job that was copied works for the original. Earlier versions did not say. */
export type AgentIdentity = ProcessIdentity & { folder?: string | undefined };

/** What happened, without the number and the time that the timeline gives it. */
export type NewJobEvent =
  | { type: "status"; status: JobStatus; text: string }
  | { type: "progress"; summary: string }
  | { type: "question"; question: string }
  | ({ type: "decision" } & JobDecision)
  | { type: "artifact"; path: string; size: number }
  | { type: "memory"; key: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; toolUseId: string; name: string; input: unknown }
  | { type: "tool_result"; toolUseId: string; text: string; isError: boolean };

/** A line of `timeline.jsonl`. Ids rise, not by one. */
export type JobEvent = { id: number; at: string } & NewJobEvent;

/**
 * A job in the hands of its agent. Every write is durable when its promise resolves, and whoever reads the folder
 * meanwhile sees the whole old or the whole new file. What a file is worth telling (a summary, a question, a decision, an
 * artifact) is put into the timeline by the method itself; `addEvent` is for the rest.
 */
export type OpenJob = {
  /** A UUID, and free to be the id of the SDK's session too. */
  readonly id: string;
  readonly task: string;
  readonly settings: JobSettings;
  /** 1 at first; more after an interruption: then there may be a session to resume. */
  readonly attempt: number;
  /** `jobs/<id>`, absolute. */
  readonly folder: string;
  /** `jobs/<id>/sdk`, absolute, made: home, configuration and temporary files of the SDK's process. */
  readonly sdkFolder: string;
  /** True as soon as a result is written, also by an earlier attempt. */
  hasResult(): boolean;
  writeSummary(summary: string): Promise<void>;
  addQuestion(question: string): Promise<void>;
  addDecision(decision: JobDecision): Promise<void>;
  /** `path` is relative to `artifacts/` (which it may begin with) and may have folders. Rejects, in words, whatever leads elsewhere or is too large. Answers the path as results name it. */
  writeArtifact(path: string, content: string | Uint8Array): Promise<string>;
  /** The last one counts. Rejects, in words, when it names an artifact that is not there. */
  submitResult(output: string, artifacts?: string[]): Promise<void>;
  addEvent(event: NewJobEvent): Promise<void>;
  /** Of all attempts together. */
  setUsage(usage: { turns: number; costUsd: number }): Promise<void>;
  /** What earlier attempts used. */
  readonly usedBefore: { turns: number; costUsd: number };
  /** The SDK's process, told as soon as it exists, so that one that outlives a killed member is ended before the job is resumed. */
  setAgentProcess(pid: number): Promise<void>;
  /** Told once the model has begun to answer: the next agent may start now. */
  onStarted(): void;
};

/**
 * Runs the agent of one job. Resolves when it came to its end with a result; rejects with words for people when it did not
 * (a result that was submitted before counts all the same). When the signal aborts, it ends the agent's process and all that
 * started, and then settles, either way.
 */
export type RunJob = (job: OpenJob, signal: AbortSignal) => Promise<void>;
