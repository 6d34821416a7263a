"use client";

import { useState } from "react";
import { fillIn } from "../../../schema/mcp-config.ts";
import type { ImportableServer, ImportedServer } from "../../../schema/mcp-config.ts";
import type { AddMember } from "../../../schema/roster.ts";
import { joinCommandLine } from "../../format/command-line.ts";
import { visibleText } from "../../format/visible-text.ts";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { Input } from "../elements/input.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";

type ImportableServerRowProps = {
  server: ImportableServer;
  isTaken: boolean;
  onReview: (member: AddMember, notes: readonly string[]) => void;
};

/** A server that can become a member. What it takes from the environment is asked for, because the hall passes none on. */
export function ImportableServerRow({ server, isTaken, onReview }: ImportableServerRowProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { command, missing } = fillIn(server.command, values);
  const review = () =>
    onReview({ name: server.name, displayName: server.displayName, transport: "stdio", ...command, confirmed: true }, server.notes);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3.5 py-2.5">
      <div className="flex items-center gap-2.5">
        <MemberMonogram name={server.name} size={24} />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-semibold">{server.displayName}</bdi>
          <span className="block truncate font-mono text-xs text-ink-3">
            {visibleText(joinCommandLine([server.command.command, ...server.command.args]))}
          </span>
        </span>
        {isTaken ? (
          <Status of="completed" word="In the Roster" />
        ) : (
          <Button
            size="sm"
            aria-label={`Review ${server.displayName}`}
            disabledBecause={missing.length === 0 ? undefined : `Fill in ${missing.join(", ")} first.`}
            onClick={review}
          >
            Review
          </Button>
        )}
      </div>
      {isTaken
        ? null
        : server.needs.map((name) => (
            <Field key={name} htmlFor={`${server.name}-${name}`} label={<code>{name}</code>} aside="it needs this from the environment">
              <Input
                id={`${server.name}-${name}`}
                value={values[name] ?? ""}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            </Field>
          ))}
    </li>
  );
}

export const RefusedServerRow = ({ server }: { server: Extract<ImportedServer, { command: null }> }) => (
  <li className="flex items-center gap-2.5 px-3.5 py-2.5">
    <MemberMonogram name={server.name} size={24} />
    <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
      <bdi className="block font-semibold">{server.displayName}</bdi>
      <span className="block text-xs text-ink-2">{server.problem}</span>
    </span>
    <Status of="warning" word="Cannot be added" />
  </li>
);
