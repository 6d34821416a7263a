"use client";

import { DiskPart } from "../../../../schema/disk.ts";
import { DiskUse } from "../../groups/disk-use.tsx";
import { LimitForm } from "../../groups/limit-form.tsx";
import { SpendingDays } from "../../groups/spending-days.tsx";
import { Stack } from "./arrange.tsx";

const nothing = async () => undefined;

export const LimitSamples = () => (
  <Stack>
    <LimitForm label="New limit for this session" suggested={10} above={5.2} actions={[{ says: "Raise the limit", do: nothing }]} />
    <LimitForm
      label="New limit for the day"
      suggested={5}
      above={5.2}
      actions={[
        { says: "Raise it for today", do: nothing },
        { says: "For good", do: nothing },
      ]}
    />
  </Stack>
);

export const SpendingSamples = () => (
  <SpendingDays
    days={[
      { day: "2026-01-07", costUsd: 6.18, queries: 41, isEstimate: false },
      { day: "2026-01-06", costUsd: 2.4, queries: 12, isEstimate: true },
      { day: "2026-01-04", costUsd: 0.003, queries: 1, isEstimate: false },
    ]}
  />
);

export const DiskSamples = () => (
  <DiskUse
    usage={{
      measuredAt: "2026-01-07T09:00:00.000Z",
      freeBytes: 84_000_000_000,
      parts: DiskPart.shape.name.options.map((name, at) => ({ name, bytes: 7 ** (at + 3), files: 3 ** at, isWhole: name !== "index" })),
      retention: { completedSessionDays: null, inactiveSessionDays: null },
    }}
  />
);
