import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobId } from "../../schema/job.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import type { Purpose } from "../format/sentence-of.ts";
import { downloadText } from "./download.ts";
import { useLatestReading } from "./latest-reading.ts";
import { useHallNews, useLive } from "./live-provider.tsx";
import { readJob } from "./read-job.ts";
import type { ReadJob } from "./read-job.ts";
import { useIsVisible } from "./use-is-visible.ts";

export type JobHandle = ReadJob & {
  /** Somebody deleted it while its page was open. */
  isGone: boolean;
  /** What the last thing that was asked came to, where that was a failure; else why the job could not be read. */
  failure: string | null;
  /** Somebody turns to something else: what was asked before is not told any more. */
  forgive: () => void;
  readAgain: () => Promise<boolean>;
  /** Saves the whole result as a file, also the part that this page does not hold. */
  downloadResult: () => Promise<boolean>;
  cancel: () => Promise<boolean>;
  remove: () => Promise<boolean>;
  /** Leaves it out of the list, or puts it back. */
  setHidden: (isHidden: boolean) => Promise<boolean>;
  /** Null where it could not be sent; else the job that goes on with it. */
  answer: (question: string, text: string) => Promise<JobId | null>;
  /** Says that a question needs no answer. */
  dismiss: (question: string) => Promise<boolean>;
};

/** What somebody asked for and did not get stays to be read, however often the job is read again meanwhile. */
type Failures = { asked: string | null; read: string | null };

/** A job as it is now, and what can be done with it. */
export function useJob(initial: ReadJob): JobHandle {
  const { worker, jobId } = initial.job;
  const [read, setRead] = useState(initial);
  const [isGone, setIsGone] = useState(false);
  const [failures, setFailures] = useState<Failures>({ asked: null, read: null });
  const isVisible = useIsVisible();
  // A page that is come back to is as it was left, and no "online" follows where the stream stands.
  const hasMissed = useRef(useLive().state === "online");
  const takeLatest = useLatestReading();

  async function attempt<Answer>(purpose: Purpose, action: () => Promise<Answer>): Promise<{ answer: Answer } | null> {
    const keep = (failure: string | null) => setFailures((before) => ({ ...before, [purpose === "read" ? "read" : "asked"]: failure }));
    try {
      const answer = await action();
      keep(null);
      return { answer };
    } catch (error) {
      const code = error instanceof HallError ? error.code : null;
      if (code === "not_found") setIsGone(true);
      // That a hall does not answer is told at the top of the page, and the job is read when it does.
      else if (code !== "hall_unreachable" || purpose !== "read") keep(sentenceOf(error, purpose));
      return null;
    }
  }
  const take = () =>
    takeLatest(readJob(client(), worker, jobId, read.result), (next) => {
      setRead(next);
      setIsGone(false);
    });
  const readAgain = useEffectEvent(() => attempt("read", take));

  useHallNews((news) => {
    if (news.news === "offline" || (news.news === "event" && news.event.event === "session")) return;
    if (news.news === "event" && news.event.event === "job") {
      if (news.event.data.id !== `${worker}/${jobId}`) return;
      // What is still being read is older than this.
      if (news.event.data.status === null) return void takeLatest(Promise.resolve(), () => setIsGone(true));
    } else if (isGone) return;
    if (news.news === "event" && news.event.event === "roster" && news.event.data.id !== worker) return;
    if (isVisible) void readAgain();
    else hasMissed.current = true;
  });
  useEffect(() => {
    if (!isVisible || !hasMissed.current) return;
    hasMissed.current = false;
    void readAgain();
  }, [isVisible]);

  /** Does something, and reads what has become of the job. Answers whether it was done, read or not. */
  const change = async (action: () => Promise<unknown>): Promise<boolean> => {
    if ((await attempt("act", action)) === null) return false;
    await attempt("read", take);
    return true;
  };
  return {
    ...read,
    isGone,
    failure: failures.asked ?? failures.read,
    forgive: () => setFailures((before) => ({ ...before, asked: null })),
    readAgain: async () => (await attempt("read", take)) !== null,
    downloadResult: async () => {
      const whole = await attempt("act", () => client().result(worker, jobId));
      if (whole !== null) downloadText(whole.answer.output, `${jobId}-result.md`);
      return whole !== null;
    },
    cancel: () => change(() => client().cancel(worker, jobId)),
    remove: async () => (await attempt("act", () => client().remove(worker, jobId).catch(goneAlready))) !== null,
    setHidden: (isHidden) => change(() => (isHidden ? client().hide(worker, jobId) : client().show(worker, jobId))),
    answer: async (question, text) => {
      const sent = await attempt("send", () => client().answer(worker, jobId, { question, answer: text }));
      if (sent === null) return null;
      await attempt("read", take);
      return sent.answer.followUp;
    },
    dismiss: (question) => change(() => client().dismiss(worker, jobId, question)),
  };
}

/** Somebody else was faster, and whoever wanted it deleted has what they wanted. */
function goneAlready(error: unknown): void {
  if (!(error instanceof HallError) || error.code !== "not_found") throw error;
}

const client = () => createHallClient({ baseUrl: "" }).jobs;
