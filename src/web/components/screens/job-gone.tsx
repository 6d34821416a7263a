import Link from "next/link";
import { visibleText } from "../../format/visible-text.ts";
import { Banner } from "../elements/banner.tsx";
import { buttonClass } from "../elements/button.tsx";
import { Page } from "../groups/page.tsx";

/** Where a job was, or where somebody thought that one is. */
export const JobGone = ({ description = "No such job" }: { description?: string }) => (
  <Page>
    <h1 className="mb-4 [overflow-wrap:anywhere]">{visibleText(description)}</h1>
    <Banner
      tone="warning"
      title="This job is not there."
      action={
        <Link href="/jobs" prefetch={false} className={buttonClass("default", "sm")}>
          Go to the jobs
        </Link>
      }
    >
      It was deleted, or its worker never had it.
    </Banner>
  </Page>
);
