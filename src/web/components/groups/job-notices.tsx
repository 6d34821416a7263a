"use client";

import { usePathname } from "next/navigation";
import { useJobNotices } from "../../live/use-job-notices.ts";
import { useShell } from "./shell-context.ts";

/** Says on every page that a job has ended or asks something; the pages of jobs show it themselves. */
export function JobNotices() {
  const { say } = useShell();
  const path = usePathname();
  useJobNotices(({ title, sentence, status }) => {
    if (!path.startsWith("/jobs")) say(`${title}: ${sentence}`, status);
  });
  return null;
}
