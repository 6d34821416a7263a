"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { createHallClient } from "../../../client/hall-client.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { Button } from "../elements/button.tsx";
import { useShell } from "./shell-context.ts";

/** One press from an empty hall to a conversation. */
export function FirstSessionButton({ isDemo }: { isDemo: boolean }) {
  const { say } = useShell();
  const router = useRouter();
  const [isBusy, start] = useTransition();
  const create = () =>
    start(async () => {
      try {
        const session = await createHallClient({ baseUrl: "" }).sessions.create({ name: isDemo ? "A first look" : "First session" });
        router.push(`/sessions/${session.id}`);
      } catch (failure) {
        say(sentenceOf(failure, "act"), "failed");
      }
    });
  return (
    <Button variant="primary" busy={isBusy} onClick={create}>
      {isDemo ? "Start a demo session" : "Start a session"}
    </Button>
  );
}
