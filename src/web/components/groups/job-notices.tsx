"use client";

import { usePathname, useRouter } from "next/navigation";
import { useJobNotices } from "../../live/use-job-notices.ts";
import type { JobNotice } from "../../live/use-job-notices.ts";
import { useShell } from "./shell-context.ts";

/** Says on every page that a job has ended or asks something; the list of jobs and the job's own page show it themselves. */
export function JobNotices() {
  const { say } = useShell();
  const path = usePathname();
  const router = useRouter();
  const tell = ({ title, sentence, status, href }: JobNotice) => {
    if (path !== "/jobs" && path !== href) say(`${title}: ${sentence}`, status);
  };
  useJobNotices(tell, ({ href }) => router.push(href));
  return null;
}
