"use client";

import { Button } from "../components/elements/button.tsx";
import { Page } from "../components/groups/page.tsx";
import { PageHead } from "../components/groups/page-head.tsx";

export default function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <Page>
      <title>Not drawn · Guild Hall</title>
      <PageHead title="This page could not be drawn">
        What was saved is kept. Try again; if it stays so, logs/hall.log in the home folder says why.
      </PageHead>
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
    </Page>
  );
}
