import type { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import type { JobId } from "../../schema/job.ts";
import { answers, readJobs, readMatches } from "./worker-answers.ts";
import type { AskWorker, WorkerHandle, WorkerOffers } from "./worker-handle.ts";

type HandleDeps = {
  member: string;
  /** Rejects with `bad_request` where the worker says that the parameters are wrong, which may mean several things. */
  ask: AskWorker;
  offers: () => WorkerOffers;
};

/** The methods of a worker, with what it answers checked and what it refuses understood. */
export function createWorkerHandle({ member, ask, offers }: HandleDeps): WorkerHandle {
  async function answered<Answer>(schema: z.ZodType<Answer>, method: string, params: object, signal?: AbortSignal): Promise<Answer> {
    const { success, data, error } = schema.safeParse(await ask(method, { ...params }, signal));
    if (success) return data;
    throw new HallError("member_failed", `What ${member} answered to ${method} makes no sense: ${firstIssue(error)}.`, { cause: error });
  }

  const status: WorkerHandle["status"] = (jobId, signal) =>
    answered(answers.status, "worker/status", { jobId }, signal).catch((error: unknown) => {
      throw isRefusal(error) ? new HallError("not_found", `${member} has no job ${jobId}: ${error.message}`, { cause: error }) : error;
    });

  /** The protocol has one error for a job that is not there and for one that is not in the right state. The status tells them apart. */
  async function ofJob<Answer>(
    asking: Promise<Answer>,
    jobId: JobId,
    otherwise: "conflict" | "not_found" | "bad_request",
  ): Promise<Answer> {
    try {
      return await asking;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await status(jobId);
      throw new HallError(otherwise, error.message, { cause: error });
    }
  }

  function mustOffer(what: keyof WorkerOffers, words: string): void {
    if (!offers()[what]) throw new HallError("conflict", `${member} ${words}: it knows only the six methods of the worker protocol.`);
  }

  return {
    dispatch: (job, signal) => answered(answers.dispatch, "worker/dispatch", job, signal),
    list: async (signal) => readJobs(await answered(answers.list, "worker/list", { detail: "detailed" }, signal)),
    find: async (filter, signal) => readMatches(await answered(answers.list, "worker/list", { detail: "simple", filter }, signal)),
    status,
    result: (jobId, signal) => ofJob(answered(answers.result, "worker/result", { jobId }, signal), jobId, "conflict"),
    cancel: (jobId, signal) => ofJob(answered(answers.cancel, "worker/cancel", { jobId }, signal), jobId, "conflict"),
    delete: (jobId, signal) => ofJob(answered(answers.delete, "worker/delete", { jobId }, signal), jobId, "conflict"),
    async events(jobId, after, signal) {
      mustOffer("events", "does not tell what happens in its jobs");
      return ofJob(answered(answers.events, "worker/events", { jobId, after }, signal), jobId, "bad_request");
    },
    async artifact(jobId, path, signal) {
      mustOffer("artifacts", "does not hand out the files of its jobs");
      return ofJob(answered(answers.artifact, "worker/artifact", { jobId, path }, signal), jobId, "not_found");
    },
    offers,
  };
}

const isRefusal = (error: unknown): error is HallError => error instanceof HallError && error.code === "bad_request";

function firstIssue({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.join(".") ?? "";
  return `${place === "" ? "it" : place} ${issue?.message ?? "is broken"}`.slice(0, 300);
}
