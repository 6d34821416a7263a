"use client";

import { useState } from "react";
import { ApprovalId } from "../../../../schema/ids.ts";
import type { WaitingFor } from "../../../../schema/run.ts";
import { useBrowserDrawing } from "../../../live/use-browser-drawing.ts";
import { NearLimits } from "../../groups/near-limits.tsx";
import { WaitingNotice } from "../../groups/waiting-notice.tsx";
import { sample } from "./messages.tsx";

const since = "2026-01-05T10:41:00.000Z";

const waitsUntil = (until: string): WaitingFor[] => [
  { kind: "slot", since },
  { kind: "person", since, approvalId: ApprovalId.parse("apr_01jgvtw5k3e8m2q7r4x9n6c0ba") },
  { kind: "limit", since, until },
  { kind: "limit", since, until: since },
  { kind: "budget", since, limit: "turns", message: "The answer has taken 150 turns, and its limit is 150." },
];

export function WaitSamples() {
  const [openedAt] = useState(() => Date.now());
  // The server's clock and the browser's differ.
  const until = useBrowserDrawing() ? new Date(openedAt + 750_000).toISOString() : since;
  return (
    <>
      {waitsUntil(until).map((waitingFor, at) => (
        <WaitingNotice key={at} session={sample("Waits", "running")} runId={undefined} waitingFor={waitingFor} hasBegun />
      ))}
      <NearLimits of={[{ limit: "turns", message: "120 of 150 turns are used." }]} />
    </>
  );
}
