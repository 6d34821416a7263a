import type { JobDetail, JobEvent, WorkerResult } from "../../../schema/job.ts";
import type { ShownArtifact } from "../../live/use-artifact-text.ts";

/** The files of a job: those that its timeline tells of, as they were written last, and those that only its result names. */
export function jobArtifacts(job: JobDetail, events: readonly JobEvent[], result: WorkerResult | null): ShownArtifact[] {
  const files = new Map<string, ShownArtifact>();
  const put = (path: string, size: number | null, modifiedAt: string) =>
    files.set(path, { path, size, modifiedAt, mimeType: mimeTypeOf(path) });
  for (const event of events) if (event.type === "artifact") put(event.path, event.size, event.at);
  for (const path of result?.artifacts ?? []) if (!files.has(path)) put(path, null, job.completedAt ?? job.startedAt);
  return [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** By its name alone, and only as far as it decides how a file is shown: what is not known is text if its bytes are. */
const mimeTypeOf = (path: string): string => types[/\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "text/plain";

const types: Partial<Record<string, string>> = {
  md: "text/markdown",
  markdown: "text/markdown",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  pdf: "application/pdf",
  zip: "application/zip",
  gz: "application/gzip",
  tar: "application/x-tar",
};
