import type { DiskPart, DiskUsage } from "../../../schema/disk.ts";
import { counted } from "../../format/figures.ts";
import { sizeOf } from "../../../schema/size.ts";
import { Age } from "../elements/age.tsx";

/** What the home folder takes, part by part, and what is left of the disk. */
export function DiskUse({ usage }: { usage: DiskUsage }) {
  const parts = usage.parts.toSorted((a, b) => b.bytes - a.bytes);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const isWhole = parts.every((part) => part.isWhole);
  return (
    <>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">What the home folder takes</caption>
        <thead>
          <tr className="text-xs text-ink-3">
            <th className="pb-1 font-normal">Part</th>
            <th className="pb-1 pl-3 text-right font-normal whitespace-nowrap">Files</th>
            <th className="pb-1 pl-3 text-right font-normal whitespace-nowrap">On disk</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <PartRow key={part.name} part={part} />
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" className="py-1.5 font-medium">
              In all
            </th>
            <td className="py-1.5 pl-3 text-right">{parts.reduce((sum, { files }) => sum + files, 0)}</td>
            <td className="py-1.5 pl-3 text-right whitespace-nowrap">{atLeast(total, isWhole)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="mt-1 text-xs text-ink-3">
        {sizeOf(usage.freeBytes)} of the disk are free. Measured <Age at={usage.measuredAt} />
        {isWhole ? "." : "; the measuring is still going on."}
      </p>
    </>
  );
}

function PartRow({ part: { name, bytes, files, isWhole } }: { part: DiskPart }) {
  const { label, is } = parts[name];
  return (
    <tr className="border-t border-line align-top">
      <th scope="row" className="py-1.5 font-normal">
        {label}
        <span className="block text-xs text-ink-3">{is}</span>
      </th>
      <td className="py-1.5 pl-3 text-right text-ink-2" title={counted(files, "file")}>
        {files}
      </td>
      <td className="py-1.5 pl-3 text-right whitespace-nowrap">{atLeast(bytes, isWhole)}</td>
    </tr>
  );
}

const atLeast = (bytes: number, isWhole: boolean): string => `${isWhole ? "" : "at least "}${sizeOf(bytes)}`;

const parts: Record<DiskPart["name"], { label: string; is: string }> = {
  sessions: { label: "Sessions", is: "histories, context files and artifacts" },
  transcripts: { label: "Transcripts", is: "what the agent itself remembers of conversations" },
  agent: { label: "Agent", is: "settings and caches of the agent" },
  jobs: { label: "Jobs", is: "work of workers, and its results" },
  members: { label: "Members", is: "the programs in guild-members" },
  state: { label: "State", is: "what was spent, calls of tools, and the like" },
  index: { label: "Index", is: "for lists and search; it can be deleted any time" },
  logs: { label: "Logs", is: "limited in size by config.yaml" },
};
