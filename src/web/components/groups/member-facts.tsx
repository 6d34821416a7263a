import Link from "next/link";
import { isWorker } from "../../../schema/manifest.ts";
import type { Member } from "../../../schema/roster.ts";
import { Facts } from "../elements/facts.tsx";
import { Panel } from "../elements/panel.tsx";
import { CommandParts } from "./command-parts.tsx";
import { addressPart } from "../../../client/address-part.ts";

/** What this member is: exactly what is started, from where. */
export function MemberFacts({ member }: { member: Member }) {
  const transport = member.transport === null ? [] : [{ label: "Transport", value: transports[member.transport] }];
  const capabilities = member.capabilities.length === 0 ? [] : [{ label: "Also", value: member.capabilities.join(", ") }];
  return (
    <Panel labelledBy="about" className="px-4 pt-3.5 pb-4">
      <h2 id="about" className="mb-2">
        About
      </h2>
      <Facts
        of={[
          { label: "Version", value: member.version === "" ? "unknown" : member.version },
          { label: "Folder", value: <code className="bg-transparent p-0">guild-members/{member.folder}</code> },
          { label: "Origin", value: origins[member.origin] },
          ...(member.note === undefined ? [] : [{ label: "Note", value: member.note }]),
          ...transport,
          ...capabilities,
          ...(isWorker(member) ? [{ label: "Jobs", value: <JobsLink worker={member.name} /> }] : []),
        ]}
      />
      {member.description.length > longDescription ? (
        <p className="mt-3.5 text-ink-2 [overflow-wrap:anywhere]">{member.description}</p>
      ) : null}
      {member.command.length === 0 ? null : (
        <>
          <h3 className="mt-3.5 mb-1.5 text-sm">Command</h3>
          <CommandParts parts={member.command} />
        </>
      )}
    </Panel>
  );
}

const JobsLink = ({ worker }: { worker: string }) => (
  <Link
    href={`/jobs?worker=${addressPart(worker)}`}
    prefetch={false}
    className="inline-flex items-center underline decoration-control underline-offset-3 max-rail:min-h-11"
  >
    See its jobs
  </Link>
);

/** More than the head of the page has room for. */
const longDescription = 160;

const transports: Record<NonNullable<Member["transport"]>, string> = {
  stdio: "stdio, over its input and output",
  http: "HTTP, on a port of this machine",
};

const origins: Record<Member["origin"], string> = {
  bundled: "came with the hall, and is upgraded with it",
  edited: "came with the hall; you changed it, so it is no longer upgraded",
  added: "added by a person",
};
