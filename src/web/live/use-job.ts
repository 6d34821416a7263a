import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobDetail, JobId, WorkerResult } from "../../schema/job.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { useHallNews } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

export type JobHandle = {
  job: JobDetail;
  /** Null until there is one. */
  result: WorkerResult | null;
  /** Somebody deleted it while its page was open. */
  isGone: boolean;
  /** What the last thing that was asked came to, where that was a failure. */
  failure: string | null;
  cancel: () => Promise<boolean>;
  remove: () => Promise<boolean>;
  /** Leaves it out of the list, or puts it back. */
  setHidden: (isHidden: boolean) => Promise<boolean>;
  /** Null where it could not be sent; else the job that goes on with it. */
  answer: (question: string, text: string) => Promise<JobId | null>;
};

export type ReadJob = { job: JobDetail; result: WorkerResult | null };

/** A job as it is now, and what can be done with it. */
export function useJob(initial: ReadJob): JobHandle {
  const { worker, jobId } = initial.job;
  const [read, setRead] = useState(initial);
  const [isGone, setIsGone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isVisible = useIsVisible();
  const hasMissed = useRef(false);
  const latest = useRef(0);

  async function attempt<Answer>(action: () => Promise<Answer>): Promise<{ answer: Answer } | null> {
    try {
      const answer = await action();
      setFailure(null);
      return { answer };
    } catch (error) {
      if (error instanceof HallError && error.code === "not_found") setIsGone(true);
      else if (!(error instanceof HallError && error.code === "hall_unreachable")) setFailure(sentenceOf(error));
      return null;
    }
  }
  /** Of two answers that overtake each other, the one that was asked for later is true. */
  async function take(): Promise<void> {
    const asked = (latest.current += 1);
    const next = await readJob(worker, jobId, read.result);
    if (asked === latest.current) setRead(next);
  }
  const readAgain = useEffectEvent(() => attempt(take));

  useHallNews((news) => {
    if (isGone || news.news === "offline" || (news.news === "event" && news.event.event === "session")) return;
    if (news.news === "event" && news.event.event === "job") {
      if (news.event.data.id !== `${worker}/${jobId}`) return;
      if (news.event.data.status === null) return setIsGone(true);
    }
    if (news.news === "event" && news.event.event === "roster" && news.event.data.id !== worker) return;
    if (isVisible) void readAgain();
    else hasMissed.current = true;
  });
  useEffect(() => {
    if (!isVisible || !hasMissed.current) return;
    hasMissed.current = false;
    void readAgain();
  }, [isVisible]);

  /** Does something, and reads what has become of the job. */
  const change = async (action: () => Promise<unknown>): Promise<boolean> => {
    const done = await attempt(action);
    return done !== null && (await attempt(take)) !== null;
  };
  return {
    ...read,
    isGone,
    failure,
    cancel: () => change(() => client().cancel(worker, jobId)),
    remove: async () => (await attempt(() => client().remove(worker, jobId))) !== null,
    setHidden: (isHidden) => change(() => (isHidden ? client().hide(worker, jobId) : client().show(worker, jobId))),
    answer: async (question, text) => {
      const sent = await attempt(() => client().answer(worker, jobId, { question, answer: text }));
      if (sent === null) return null;
      await attempt(take);
      return sent.answer.followUp;
    },
  };
}

async function readJob(worker: string, jobId: string, known: WorkerResult | null): Promise<ReadJob> {
  const job = await client().get(worker, jobId);
  return { job, result: job.status === "completed" ? (known ?? (await client().result(worker, jobId))) : null };
}

const client = () => createHallClient({ baseUrl: "" }).jobs;
