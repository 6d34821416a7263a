"use client";

import { sentenceOf } from "../../format/sentence-of.ts";
import { useSessionStart } from "../../live/use-session-start.ts";
import { Button } from "../elements/button.tsx";
import { useShell } from "./shell-context.ts";

/** One press from an empty hall to a conversation. */
export function FirstSessionButton({ isDemo }: { isDemo: boolean }) {
  const { say } = useShell();
  const { start, isBusy } = useSessionStart();
  const create = () =>
    start({ name: isDemo ? "A first look" : "First session" }, { onFailure: (failure) => say(sentenceOf(failure, "act"), "failed") });
  return (
    <Button variant="primary" busy={isBusy} onClick={create}>
      {isDemo ? "Start a demo session" : "Start a session"}
    </Button>
  );
}
