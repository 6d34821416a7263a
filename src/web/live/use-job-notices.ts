import { useEffect, useEffectEvent, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { JobDetail } from "../../schema/job.ts";
import { briefText } from "../format/brief-text.ts";
import { counted } from "../format/figures.ts";
import { jobHref } from "../format/job-href.ts";
import { isAnyInSight, useInSight } from "./in-sight.ts";
import { useHallNews } from "./live-provider.tsx";
import { notify } from "./run-notifications.ts";

export type JobNotice = {
  title: string;
  sentence: string;
  status: "completed" | "failed" | "waiting";
  /** The page that shows it. */
  href: string;
};

/** What happens together is told together. */
const gatherMs = 400;

/** Tells of jobs that have ended or asked something: this page where it is in sight, else the browser, once for all tabs. */
export function useJobNotices(tell: (notice: JobNotice) => void, open: (notice: JobNotice) => void): void {
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
    if (!(await isAnyInSight())) notify(`jobs ${ids.join(" ")}`, notice.title, notice.sentence, () => open(notice));
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
    return {
      title: "Jobs",
      sentence: `There is news of ${counted(ids.length, "job")}. The list of jobs has them.`,
      status: "waiting",
      href: "/jobs",
    };
  return describe(await createHallClient({ baseUrl: "" }).jobs.get(worker, jobId));
}

/** One sentence on how a job stands, for whoever looks elsewhere. */
function describe({ worker, jobId, description, status, error, asked }: JobDetail): JobNotice {
  const about = { title: briefText(description, mostInTitle), href: jobHref(worker, jobId) };
  const question = asked.findLast(({ isOpen }) => isOpen)?.question;
  if (question !== undefined) return { ...about, sentence: `Asks: ${briefText(question)}`, status: "waiting" };
  if (status === "failed") return { ...about, sentence: `Failed: ${briefText(error ?? "nobody knows why.")}`, status: "failed" };
  return { ...about, sentence: status === "running" ? "Goes on." : "The job is completed.", status: "completed" };
}

const mostInTitle = 100;
