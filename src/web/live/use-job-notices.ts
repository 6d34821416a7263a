import { useEffect, useEffectEvent, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { JobDetail } from "../../schema/job.ts";
import { counted } from "../format/figures.ts";
import { isAnyInSight, useInSight } from "./in-sight.ts";
import { useHallNews } from "./live-provider.tsx";
import { notify } from "./run-notifications.ts";

export type JobNotice = { title: string; sentence: string; status: "completed" | "failed" | "waiting" };

/** What happens together is told together. */
const gatherMs = 400;

/** Tells of jobs that have ended or asked something: this page where it is in sight, else the browser, once for all tabs. */
export function useJobNotices(tell: (notice: JobNotice) => void): void {
  const [news, setNews] = useState<readonly string[]>([]);
  useInSight();
  useHallNews((heard) => {
    if (heard.news !== "event" || heard.event.event !== "job") return;
    const { id, change, status } = heard.event.data;
    // Whoever cancels a job knows.
    if (change === undefined || (change === "ended" && status === "cancelled")) return;
    setNews((before) => (before.includes(id) ? before : [...before, id]));
  });
  const speak = useEffectEvent(async (ids: readonly string[]) => {
    const notice = await noticeOf(ids);
    if (document.visibilityState === "visible") return tell(notice);
    if (!(await isAnyInSight())) notify(`jobs ${ids.join(" ")}`, notice.title, notice.sentence);
  });
  useEffect(() => {
    if (news.length === 0) return;
    const timer = setTimeout(() => {
      setNews([]);
      // What cannot be read now is still in the list of jobs when somebody looks.
      speak(news).catch(() => undefined);
    }, gatherMs);
    return () => clearTimeout(timer);
  }, [news]);
}

async function noticeOf(ids: readonly string[]): Promise<JobNotice> {
  const [worker = "", jobId = ""] = ids[0]?.split("/") ?? [];
  if (ids.length > 1)
    return { title: "Jobs", sentence: `There is news of ${counted(ids.length, "job")}. The list of jobs has them.`, status: "waiting" };
  return describe(await createHallClient({ baseUrl: "" }).jobs.get(worker, jobId));
}

/** One sentence on how a job stands, for whoever looks elsewhere. */
function describe({ description, status, error, asked }: JobDetail): JobNotice {
  const question = asked.findLast(({ answer }) => answer === null)?.question;
  if (question !== undefined) return { title: description, sentence: `Asks: ${question}`, status: "waiting" };
  if (status === "failed") return { title: description, sentence: `Failed: ${error ?? "nobody knows why."}`, status: "failed" };
  return { title: description, sentence: status === "running" ? "Goes on." : "The job is completed.", status: "completed" };
}
