"use client";

import { useJobCounts } from "../../live/jobs-provider.tsx";
import { Count } from "../elements/count.tsx";

/** In the navigation: how many questions wait for the reader, or else how many jobs run. */
export function JobNavCount({
  className,
  only,
}: {
  className: string;
  /** Where there is room for what cannot wait alone. */ only?: "yours";
}) {
  const counts = useJobCounts();
  if (counts === null) return null;
  if (counts.needsYou > 0)
    return (
      <span className={className}>
        <Count of={counts.needsYou} label="waiting for you" yours />
      </span>
    );
  if (counts.running === 0 || only === "yours") return null;
  return (
    <span className={`${className} max-wide:hidden`}>
      <Count of={counts.running} label="running" />
    </span>
  );
}
