"use client";

import { readMcpConfig } from "../../../schema/mcp-config.ts";
import type { ImportedServer } from "../../../schema/mcp-config.ts";
import type { AddMember } from "../../../schema/roster.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { Button } from "../elements/button.tsx";
import { DialogFooter } from "../elements/dialog.tsx";
import { Field } from "../elements/field.tsx";
import { TextArea } from "../elements/input.tsx";
import { ImportableServerRow, RefusedServerRow } from "./imported-server.tsx";

type MemberImportProps = {
  text: string;
  onText: (text: string) => void;
  onReview: (member: AddMember, notes: readonly string[]) => void;
  onCancel: () => void;
};

/** Servers of another program's configuration. Each is looked at and confirmed by itself. */
export function MemberImport({ text, onText, onReview, onCancel }: MemberImportProps) {
  const taken = new Set(useRoster().map(({ name }) => name));
  const { servers, problem } = text.trim() === "" ? { servers: [], problem: null } : readMcpConfig(text);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-3 pb-5">
        <Field
          htmlFor="member-file"
          label="Configuration"
          aside="what is in .mcp.json, or in the configuration of Claude Desktop"
          error={problem ?? undefined}
        >
          <TextArea
            id="member-file"
            value={text}
            rows={servers.length > 0 ? 4 : 8}
            spellCheck={false}
            className="font-mono"
            placeholder={'{ "mcpServers": { "memory": { "command": "npx", "args": ["-y", "…"] } } }'}
            invalid={problem !== null}
            aria-describedby={problem === null ? undefined : "member-file-error"}
            onChange={(event) => onText(event.target.value)}
          />
        </Field>
        {servers.length === 0 ? null : <Servers servers={servers} taken={taken} onReview={onReview} />}
      </div>
      <DialogFooter>
        <span className="text-xs text-ink-3 max-rail:hidden">Nothing is started before you have seen its command.</span>
        <Button variant="ghost" className="ml-auto" onClick={onCancel}>
          Close
        </Button>
      </DialogFooter>
    </>
  );
}

type ServersProps = { servers: readonly ImportedServer[]; taken: ReadonlySet<string>; onReview: MemberImportProps["onReview"] };

const Servers = ({ servers, taken, onReview }: ServersProps) => (
  <ul aria-label="Servers in this file" className="divide-y divide-line rounded-3 border border-line bg-surface">
    {servers.map((server) =>
      server.problem === null ? (
        <ImportableServerRow key={server.name} server={server} isTaken={taken.has(server.name)} onReview={onReview} />
      ) : (
        <RefusedServerRow key={server.name} server={server} />
      ),
    )}
  </ul>
);
