import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { Manifest } from "../../schema/manifest.ts";

type PlayRequest = {
  /** False for a worker that knows only the six methods of the protocol. */
  additions?: boolean;
  /** With the tools `go_on`, which lets jobs that wait go on: `{ "jobId": … }`, and `asked`, which tells how often it was asked about jobs. */
  tools?: boolean;
  /** So many jobs are there from the start, completed, the newest last: `Job 1`, `Job 2` … */
  jobs?: number;
};

/**
 * A worker without an agent. Each line of a task is something it does: `say`, `progress`, `ask`, `use` (a tool) with a text
 * behind it, `decide question | decision | reasoning`, `write path content`, `wait` (until `go_on` or a cancel), `hush` (one more
 * look at it, and then no answer to anything), `fail reason`, `result text`, `fill count text` (the text so often as result), `lose reason` (completed, but nobody gets the result),
 * `repeat count line`, `die` (the whole worker), `balk` (refuses the next dispatch, once in its life). A task that ends otherwise is completed with "Done.". Some descriptions of a dispatch
 * are answered badly: see `misbehaviours`.
 * It keeps nothing: all jobs are gone when it is started again.
 */
export const playedWorker = ({ additions = true, tools = false, jobs = 0 }: PlayRequest = {}): Pick<
  Manifest,
  "transport" | "mcp" | "capabilities"
> => ({
  transport: "http",
  mcp: { command: "node", args: [import.meta.filename, "${PORT}", JSON.stringify({ additions, tools, jobs })], env: {} },
  capabilities: ["worker"],
});

type Status = "running" | "completed" | "failed" | "cancelled";
type Decision = { question: string; decision: string; reasoning: string };
type PlayedJob = {
  jobId: string;
  status: Status;
  description: string;
  summary: string | null;
  questions: string[];
  decisions: Decision[];
  error: string | null;
  startedAt: string;
  completedAt: string | null;
  task: string;
  config: Record<string, unknown>;
  usage: { turns: number; costUsd: number; maxTurns: number; maxBudgetUsd: number };
  output: string;
  artifacts: Map<string, string>;
  events: object[];
  /** Lines of the task that are still to be played. */
  left: string[];
  /** Why its result cannot be had. */
  lost?: string;
};
type Params = { jobId?: string; description?: string; task?: string; config?: Record<string, unknown>; detail?: string; filter?: string };
type Asked = Params & { after?: number; path?: string; name?: string; arguments?: { jobId?: string } };

class Refusal extends Error {
  readonly code: number;
  constructor(message: string, code = -32602) {
    super(message);
    this.code = code;
  }
}

const jobs = new Map<string, PlayedJob>();
let eventId = 0;
let askedAboutJobs = 0;
let balks: "next" | "no more" | null = null;
let lastStart = 0;
/** After a `hush`, those to its status and its events. */
let answersLeft = Infinity;

/** No two jobs begin at once, so that their order is known. */
const nextStart = (): string => new Date((lastStart = Math.max(Date.now(), lastStart + 1))).toISOString();

const tell = (job: PlayedJob, type: string, about: object): void =>
  void job.events.push({ id: (eventId += 1), at: new Date().toISOString(), type, ...about });

function end(job: PlayedJob, status: Status, text: string): void {
  job.status = status;
  job.completedAt = new Date().toISOString();
  job.left = [];
  tell(job, "status", { status, text });
}

const verbs: Record<string, (job: PlayedJob, words: string) => void> = {
  say: (job, text) => tell(job, "text", { text }),
  progress: (job, summary) => tell(job, "progress", { summary: (job.summary = summary) }),
  ask: (job, question) => tell(job, "question", { question: job.questions[job.questions.push(question) - 1] }),
  use: (job, name) => {
    const toolUseId = `use-${eventId}`;
    tell(job, "tool_use", { toolUseId, name, input: { played: true } });
    tell(job, "tool_result", { toolUseId, text: `${name} was played.`, isError: false });
    job.usage = { ...job.usage, turns: job.usage.turns + 1, costUsd: job.usage.costUsd + 0.01 };
  },
  decide: (job, words) => {
    const [question = "", decision = "", reasoning = ""] = words.split(" | ");
    job.decisions.push({ question, decision, reasoning });
    tell(job, "decision", { question, decision, reasoning });
  },
  write: (job, words) => {
    const [, name = "", content = ""] = /^(\S+) ?(.*)$/s.exec(words) ?? [];
    job.artifacts.set(`artifacts/${name}`, content);
    tell(job, "artifact", { path: `artifacts/${name}`, size: Buffer.byteLength(content) });
  },
  hush: () => void (answersLeft = 2),
  fail: (job, reason) => end(Object.assign(job, { error: reason }), "failed", reason),
  result: (job, output) => end(Object.assign(job, { output }), "completed", "Completed."),
  fill: (job, words) => {
    const [, count = "", text = ""] = /^(\d+) (.*)$/.exec(words) ?? [];
    end(Object.assign(job, { output: `${text}\n\n`.repeat(Number(count)) }), "completed", "Completed.");
  },
  lose: (job, lost) => end(Object.assign(job, { lost }), "completed", "Completed."),
  repeat: (job, words) => {
    const [, count = "", line = ""] = /^(\d+) (.*)$/.exec(words) ?? [];
    job.left.unshift(...Array.from({ length: Number(count) }, (_, at) => `${line} ${at + 1}`));
  },
  die: () => process.exit(7),
  balk: () => void (balks ??= "next"),
};

function playOn(job: PlayedJob): void {
  while (job.status === "running") {
    const line = job.left.shift();
    if (line === "wait") return;
    if (line === undefined) return end(job, "completed", "Completed.");
    const [, verb = "", words = ""] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    verbs[verb]?.(job, words);
  }
}

function begin({ description = "", task = "", config = {} }: Params, startedAt = nextStart()): PlayedJob {
  const usage = { turns: 0, costUsd: 0, maxTurns: 150, maxBudgetUsd: 2.5 };
  const rest = { summary: null, error: null, startedAt, completedAt: null, output: "Done.", usage };
  const job: PlayedJob = {
    jobId: randomUUID(),
    status: "running",
    description,
    task,
    config,
    ...rest,
    questions: [],
    decisions: [],
    artifacts: new Map<string, string>(),
    events: [],
    left: task.split("\n"),
  };
  jobs.set(job.jobId, job);
  tell(job, "status", { status: "running", text: "Started." });
  return job;
}

/** How dispatches with these descriptions are answered. Null is no answer at all, a number a status of HTTP. */
const misbehaviours: Record<string, () => object | number | null> = {
  "play: no answer": () => null,
  "play: HTTP 500": () => 500,
  "play: nonsense": () => ({ result: { jobId: "../../etc" } }),
  "play: another error": () => ({ error: { code: -32000, message: "The moon is in the way." } }),
  "play: bad settings": () => ({ error: { code: -32602, message: 'There is no setting "colour".' } }),
  "play: die": () => process.exit(7),
};

function jobOf({ jobId = "" }: Params): PlayedJob {
  const job = jobs.get(jobId);
  if (job === undefined) throw new Refusal(`There is no job ${jobId}.`);
  return job;
}

const matches = ({ description }: PlayedJob, filter: string | undefined): boolean =>
  filter === undefined || new RegExp(`^${filter.replaceAll(/[^*\w ]/g, "\\$&").replaceAll("*", ".*")}$`).test(description);

const methods = (additions: boolean): Record<string, (params: Asked) => object> => ({
  "worker/dispatch": (params) => {
    if (balks === "next") {
      balks = "no more";
      throw new Refusal("It is out for lunch.", -32000);
    }
    const job = begin(params);
    playOn(job);
    return { jobId: job.jobId };
  },
  "worker/list": ({ detail, filter }) => ({
    jobs: [...jobs.values()]
      .filter((job) => matches(job, filter))
      .map(({ jobId, status, description, summary, startedAt, completedAt, usage, questions }) => ({
        jobId,
        status,
        ...(detail === "detailed" ? { description, summary } : {}),
        ...(detail === "detailed" && additions ? { startedAt, completedAt, usage, openQuestions: questions.length } : {}),
      })),
  }),
  "worker/status": (params) => {
    const {
      output: _output,
      artifacts: _artifacts,
      events: _events,
      left: _left,
      lost: _lost,
      task,
      config,
      usage,
      ...job
    } = jobOf(params);
    const { questions, decisions } = job;
    const orNull = { questions: questions.length > 0 ? questions : null, decisions: decisions.length > 0 ? decisions : null };
    return { ...job, ...orNull, ...(additions ? { task, config, usage, openQuestions: questions.length } : {}) };
  },
  "worker/result": (params) => {
    const { jobId, status, output, artifacts, lost } = jobOf(params);
    if (lost !== undefined) throw new Refusal(lost, -32000);
    if (status !== "completed") throw new Refusal(`Job ${jobId} is ${status}, and has no result.`);
    return { jobId, output, artifacts: artifacts.size > 0 ? [...artifacts.keys()] : null };
  },
  "worker/cancel": (params) => {
    const job = jobOf(params);
    if (job.status === "running") end(job, "cancelled", "Cancelled.");
    return { jobId: job.jobId, status: job.status };
  },
  "worker/delete": (params) => {
    const { jobId, status } = jobOf(params);
    if (status === "running" || status === "failed") throw new Refusal(`Job ${jobId} is ${status}, and cannot be deleted.`);
    jobs.delete(jobId);
    return { jobId, deleted: true };
  },
  ...(additions ? addedMethods : {}),
});

/** Small, so that a test comes to the second page. */
const eventsOfPage = 20;

const addedMethods: Record<string, (params: Asked) => object> = {
  "worker/events": (params) => {
    const { jobId, events } = jobOf(params);
    const later = events.filter((event) => "id" in event && Number(event.id) > (params.after ?? 0));
    return { jobId, events: later.slice(0, eventsOfPage), hasMore: later.length > eventsOfPage };
  },
  "worker/artifact": (params) => {
    const { jobId, artifacts } = jobOf(params);
    const { path = "" } = params;
    const content = artifacts.get(path.startsWith("artifacts/") ? path : `artifacts/${path}`);
    if (content === undefined) throw new Refusal(`Job ${jobId} has no file ${path}.`);
    return { jobId, path, size: Buffer.byteLength(content), data: Buffer.from(content).toString("base64") };
  },
};

const ofMcp = ({ additions, tools }: Required<PlayRequest>): Record<string, (params: Asked) => object> => ({
  initialize: () => ({
    protocolVersion: "2025-06-18",
    capabilities: { ...(tools ? { tools: {} } : {}), ...(additions ? { experimental: { worker: {} } } : {}) },
    serverInfo: { name: "played-worker", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [
      { name: "go_on", description: "Lets a job go on that waits.", inputSchema: { type: "object" } },
      { name: "asked", description: "Tells how often it was asked about jobs.", inputSchema: { type: "object" } },
    ],
  }),
  "tools/call": (params) => {
    if (params.name === "asked") return { content: [{ type: "text", text: String(askedAboutJobs) }] };
    playOn(jobOf(params.arguments ?? {}));
    return { content: [{ type: "text", text: "It goes on." }] };
  },
});

type Message = { id?: number; method?: string; params?: Asked };

function answer(message: Message, play: Required<PlayRequest>): object | number | null {
  const { id, method = "", params = {} } = message;
  if (method.startsWith("worker/")) askedAboutJobs += 1;
  if (answersLeft === 0) return null;
  answersLeft -= 1;
  const misbehave = method === "worker/dispatch" ? misbehaviours[params.description ?? ""] : undefined;
  if (misbehave !== undefined) return misbehave();
  try {
    const known = { ...methods(play.additions), ...ofMcp(play) }[method];
    if (known === undefined) throw new Refusal(`There is no method ${method}.`, -32601);
    return { id, result: known(params) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

function serve(port: number, play: Required<PlayRequest>): void {
  createServer((request, response: ServerResponse) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const message = JSON.parse(body) as Message; // only the hall and its tests speak to it
      if (message.id === undefined) return void response.writeHead(202).end();
      const said = answer(message, play);
      if (said === null) return;
      if (typeof said === "number") return void response.writeHead(said).end("It broke.");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...said }));
    });
  }).listen(port, "127.0.0.1");
}

if (import.meta.main) {
  const [port, play = "{}"] = process.argv.slice(2);
  const request = JSON.parse(play) as Required<PlayRequest>; // as playedWorker wrote it
  const started = Date.now();
  for (let count = 1; count <= request.jobs; count += 1) {
    // Before any job that is given to it, one second after the other.
    const startedAt = new Date(started - (request.jobs - count + 1) * 1000).toISOString();
    playOn(begin({ description: `Job ${count}`, task: `progress Step ${count}` }, startedAt));
  }
  serve(Number(port), request);
}
