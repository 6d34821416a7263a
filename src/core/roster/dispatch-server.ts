import { z } from "zod";
import { DispatchJob, JobId } from "../../schema/job.ts";
import type { Tool, ToolResult, ToolServer } from "../agent/agent-run.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";
import { refuseSettingsOfPersons } from "./settings-of-persons.ts";

type DispatchServerDeps = {
  /** The name of the server; tools are called `mcp__<name>__dispatch` and so on. */
  name: string;
  member: { name: string; displayName: string; description: string };
  /** The worker as it is when a tool is called. */
  worker: (signal: AbortSignal) => Promise<WorkerHandle>;
};

/** The bridge between an agent and one worker: what it refuses comes back as an error of the tool, and the agent goes on. */
export function createDispatchServer({ name, member, worker }: DispatchServerDeps): ToolServer {
  const jobs = `jobs of the guild member "${member.name}"`;

  function tool<Input>(
    method: string,
    { about, input, readOnly }: { about: string; input: z.ZodType<Input>; readOnly: boolean },
    work: (worker: WorkerHandle, input: Input, signal: AbortSignal) => Promise<unknown>,
  ): Tool {
    const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
    return {
      name: method,
      description: about,
      inputSchema,
      readOnly,
      call: async (given, { signal }) => shown(await work(await worker(signal), input.parse(given), signal)),
    };
  }

  return {
    name,
    member: member.name,
    tools: [
      tool(
        "dispatch",
        {
          about: `Gives a job to ${member.displayName} ("${member.name}": ${member.description}). It answers at once with the job's id and works on its own; the job knows nothing of this conversation, so the task must say everything.`,
          input: Dispatch,
          readOnly: false,
        },
        async (handle, job, signal) => {
          refuseSettingsOfPersons(job.config ?? {});
          return handle.dispatch(job, signal);
        },
      ),
      tool("list", { about: `Lists the ${jobs}, newest first.`, input: List, readOnly: true }, listed),
      tool(
        "status",
        {
          about: `Tells how one of the ${jobs} stands: its progress, the questions it could not answer, the decisions it took, its error.`,
          input: OneJob,
          readOnly: true,
        },
        (handle, { jobId }, signal) => handle.status(jobId, signal),
      ),
      tool(
        "result",
        { about: `Fetches the result of one of the ${jobs} that is completed.`, input: OneJob, readOnly: true },
        (handle, { jobId }, signal) => handle.result(jobId, signal),
      ),
      tool("cancel", { about: `Ends one of the ${jobs} that runs.`, input: OneJob, readOnly: false }, (handle, { jobId }, signal) =>
        handle.cancel(jobId, signal),
      ),
      tool(
        "delete",
        {
          about: `Deletes one of the ${jobs} that is completed or cancelled, with all it made, for good. Only where the person asks for it.`,
          input: OneJob,
          readOnly: false,
        },
        (handle, { jobId }, signal) => handle.delete(jobId, signal),
      ),
    ],
  };
}

const Dispatch = DispatchJob.extend({
  description: DispatchJob.shape.description.describe("A few words by which the person recognises the job in a list"),
  task: DispatchJob.shape.task.describe("All that the worker is to do and has to know, in full"),
  config: DispatchJob.shape.config.describe(
    "Settings of this worker for this job, but no limits. Leave it out unless the person asks for one",
  ),
});

const OneJob = z.strictObject({ jobId: JobId });

const List = z.strictObject({
  detail: z.enum(["simple", "detailed"]).default("simple").describe("simple: id and status. detailed: also description and progress"),
  filter: z.string().max(1000).optional().describe("Only jobs whose description matches this glob, for instance *prices*"),
});

/** More than an agent can make use of. */
const mostListed = 100;

async function listed(handle: WorkerHandle, { detail, filter }: z.infer<typeof List>, signal: AbortSignal): Promise<unknown> {
  const [{ jobs }, matches] = await Promise.all([handle.list(signal), filter === undefined ? null : handle.find(filter, signal)]);
  const wanted = jobs
    .filter(({ jobId }) => matches === null || matches.has(jobId))
    .toSorted((a, b) => ((a.startedAt ?? "") < (b.startedAt ?? "") ? 1 : -1));
  const shownJobs = wanted.slice(0, mostListed).map((job) => (detail === "simple" ? { jobId: job.jobId, status: job.status } : job));
  return { jobs: shownJobs, ...(wanted.length > mostListed ? { note: `These are the newest ${mostListed} of ${wanted.length}.` } : {}) };
}

const shown = (answer: unknown): ToolResult => ({ content: [{ type: "text", text: JSON.stringify(answer, null, 2) }] });
