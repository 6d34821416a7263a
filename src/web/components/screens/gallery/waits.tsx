"use client";

import { ApprovalId } from "../../../../schema/ids.ts";
import type { WaitingFor } from "../../../../schema/run.ts";
import { NearLimits } from "../../groups/near-limits.tsx";
import { WaitingNotice } from "../../groups/waiting-notice.tsx";
import { sample } from "./messages.tsx";

const since = "2026-01-05T10:41:00.000Z";

const waits: readonly WaitingFor[] = [
  { kind: "slot", since },
  { kind: "person", since, approvalId: ApprovalId.parse("apr_01jgvtw5k3e8m2q7r4x9n6c0ba") },
  { kind: "limit", since, until: new Date(Date.now() + 750_000).toISOString() },
  { kind: "limit", since, until: since },
  { kind: "budget", since, limit: "turns", message: "The answer has taken 150 turns, and its limit is 150." },
];

export const WaitSamples = () => (
  <>
    {waits.map((waitingFor, at) => (
      <WaitingNotice key={at} session={sample("Waits", "running")} runId={undefined} waitingFor={waitingFor} hasBegun />
    ))}
    <NearLimits of={[{ limit: "turns", message: "The answer has taken 120 of 150 turns." }]} />
  </>
);
