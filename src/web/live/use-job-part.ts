import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { changeAddress } from "./page-drawing.ts";

export type JobPart = "timeline" | "transcript" | "result" | "task";

const parts: readonly JobPart[] = ["timeline", "transcript", "result", "task"];

/** Which part of a job is shown. The address has it once somebody chose. */
export function useJobPart(first: JobPart): [JobPart, (part: JobPart) => void] {
  const named = useSearchParams().get("part");
  const path = usePathname();
  const [chosen, choose] = useState<JobPart | null>(null);
  useEffect(() => (chosen === null ? undefined : changeAddress(`${path}?part=${chosen}`)), [path, chosen]);
  return [chosen ?? parts.find((part) => part === named) ?? first, choose];
}
