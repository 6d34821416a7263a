"use client";

import { Button } from "../components/elements/button.tsx";
import { Page } from "../components/groups/page.tsx";
import { PageHead } from "../components/groups/page-head.tsx";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Page>
      <PageHead title="This page could not be drawn">
        What was saved is kept. The hall&apos;s log says more{error.digest === undefined ? "" : `, under ${error.digest}`}.
      </PageHead>
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
    </Page>
  );
}
