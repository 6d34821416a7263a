"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { briefText } from "../../format/brief-text.ts";
import { memberHref } from "../../format/member-href.ts";
import { shortJobId } from "../../format/job-href.ts";
import { useHallNews } from "../../live/live-provider.tsx";
import { Banner } from "../elements/banner.tsx";
import { Button, buttonClass } from "../elements/button.tsx";
import { Page } from "../groups/page.tsx";

/** A job whose worker cannot be asked now. As soon as it can, its page is drawn. */
export function JobUnread({ worker, jobId, reason }: { worker: string; jobId: string; reason: string }) {
  const router = useRouter();
  const [isBusy, start] = useTransition();
  useHallNews((news) => {
    if (news.news === "event" && news.event.event === "roster" && news.event.data.id === worker) router.refresh();
  });
  return (
    <Page>
      <h1 className="mb-4">Job {shortJobId(jobId)}</h1>
      <div role="status">
        <Banner
          tone="warning"
          title="Its worker cannot be asked now."
          action={
            <>
              <Button size="sm" busy={isBusy} onClick={() => start(() => router.refresh())}>
                Try again
              </Button>
              <Link href={memberHref(worker)} prefetch={false} className={buttonClass("default", "sm")}>
                See how it is
              </Link>
            </>
          }
        >
          {briefText(reason, 600)} What the job has done is kept by its worker.
        </Banner>
      </div>
    </Page>
  );
}
