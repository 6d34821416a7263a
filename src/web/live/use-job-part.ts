import { useSearchParams } from "next/navigation";

export type JobPart = "timeline" | "transcript" | "result" | "task";

const parts: readonly JobPart[] = ["timeline", "transcript", "result", "task"];

/** Which part of a job is shown. The address has it once somebody chose. */
export function useJobPart(first: JobPart): [JobPart, (part: JobPart) => void] {
  const named = useSearchParams().get("part");
  const choose = (next: JobPart) => window.history.replaceState(null, "", `${location.pathname}?part=${next}`);
  return [parts.find((part) => part === named) ?? first, choose];
}
