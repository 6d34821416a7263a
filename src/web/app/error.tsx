"use client";

import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { Button } from "../components/elements/button.tsx";
import { Page } from "../components/groups/page.tsx";
import { PageHead } from "../components/groups/page-head.tsx";

export default function ErrorPage({ reset }: { reset: () => void }) {
  const router = useRouter();
  // Most of what fails fails in the hall: to draw again what it sent would fail again.
  const tryAgain = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <Page>
      <title>Not drawn · Guild Hall</title>
      <PageHead title="This page could not be drawn">
        What was saved is kept. Try again; if it stays so, logs/hall.log in the home folder says why.
      </PageHead>
      <Button variant="primary" onClick={tryAgain}>
        Try again
      </Button>
    </Page>
  );
}
