"use client";

import { useEffect, useRef, useState } from "react";
import type { AddMember, Member } from "../../../schema/roster.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { visibleText } from "../../format/visible-text.ts";
import { addMember } from "../../live/start-member.ts";
import { Button } from "../elements/button.tsx";
import { DialogFooter } from "../elements/dialog.tsx";
import { Facts } from "../elements/facts.tsx";
import { CommandParts } from "./command-parts.tsx";

type ConfirmMemberProps = { member: AddMember; notes: readonly string[]; onBack: () => void; onAdded: (member: Member) => void };

/** Exactly what would be started, before anything is. Focus is on the command, so that a key pressed too often starts nothing. */
export function ConfirmMember({ member, notes, onBack, onAdded }: ConfirmMemberProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.focus(), []);

  const add = async () => {
    setIsBusy(true);
    try {
      onAdded(await addMember(member));
    } catch (error) {
      setFailure(sentenceOf(error, "send"));
      setIsBusy(false);
    }
  };
  const variables = Object.entries(member.env ?? {});
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-5 pt-3 pb-5">
        <p>
          The hall will start this program on this machine, with your rights, now and whenever the hall starts. Add it only if you trust it.
        </p>
        <div
          ref={shown}
          tabIndex={0}
          role="region"
          aria-label="The exact command"
          className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-2 border border-control bg-surface px-3.5 py-3"
        >
          <CommandParts parts={[member.command, ...(member.args ?? [])]} />
          {variables.length === 0 ? null : (
            <div>
              <h3 className="mb-1 text-sm">With these variables</h3>
              <Facts of={variables.map(([label, value]) => ({ label, value: <code>{visibleText(value)}</code> }))} />
            </div>
          )}
        </div>
        <Facts
          of={[
            { label: "Name", value: member.name },
            { label: "Runs in", value: <code>guild-members/{member.name}</code> },
            { label: "Speaks over", value: member.transport === "http" ? "HTTP, on a port of this machine" : "stdio" },
          ]}
        />
        {notes.map((note) => (
          <p key={note} className="text-xs text-ink-2">
            {note}
          </p>
        ))}
        {failure === null ? null : (
          <p role="alert" className="text-err [overflow-wrap:anywhere]">
            {failure}
          </p>
        )}
      </div>
      <DialogFooter>
        <Button variant="ghost" className="ml-auto" onClick={onBack}>
          Back
        </Button>
        <Button variant="primary" busy={isBusy} onClick={() => void add()}>
          Add and start
        </Button>
      </DialogFooter>
    </>
  );
}
