"use client";

import { useState } from "react";
import type { Session } from "../../../schema/session.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { Button } from "../elements/button.tsx";
import { Checkbox } from "../elements/checkbox.tsx";
import { Dialog, DialogFooter } from "../elements/dialog.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { MemberChoice } from "./choose-members.tsx";
import { isReachable } from "./member-status.ts";

type SessionMembersDialogProps = { session: Session; isOpen: boolean; onClose: () => void };

/** Adds and removes members of a session that has begun. */
export const SessionMembersDialog = ({ session, isOpen, onClose }: SessionMembersDialogProps) => (
  <Dialog title="Members of this session" isOpen={isOpen} onClose={onClose}>
    <Choice session={session} onClose={onClose} />
  </Dialog>
);

function Choice({ session, onClose }: Omit<SessionMembersDialogProps, "isOpen">) {
  const roster = useRoster();
  const { change, isBusy, failure } = useSessionChanges(session.id);
  const [chosen, setChosen] = useState<readonly string[]>(session.members);
  const there = roster.filter((member) => isReachable(member, roster));
  const gone = session.members.filter((name) => !there.some((member) => member.name === name));
  const choice = (name: string) => ({
    checked: chosen.includes(name),
    onChange: () => setChosen((before) => (before.includes(name) ? before.filter((other) => other !== name) : [...before, name])),
  });
  const save = async () => {
    if (await change({ members: [...chosen] })) onClose();
  };
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-5 pt-2 pb-5">
        <p className="text-ink-2">
          {session.status === "running"
            ? "The answer that is being given keeps the tools it began with. The change counts from your next message on."
            : "The change counts from your next message on."}
        </p>
        {there.length + gone.length === 0 ? <p>The Roster is empty. Add a member to it first.</p> : null}
        <fieldset className="grid max-h-[min(50vh,420px)] min-w-0 grid-cols-2 gap-2 overflow-y-auto p-0.5 max-rail:grid-cols-1">
          <legend className="sr-only">Members</legend>
          {there.map((member) => (
            <Checkbox key={member.folder} isUnavailable={member.status !== "connected"} {...choice(member.name)}>
              <MemberChoice member={member} />
            </Checkbox>
          ))}
          {gone.map((name) => (
            <Checkbox key={name} isUnavailable {...choice(name)}>
              <MemberMonogram name={name} size={20} />
              <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
              <Status of="disconnected" word="No longer there" />
            </Checkbox>
          ))}
        </fieldset>
        {failure === null ? null : (
          <p role="alert" className="text-err">
            {failure}
          </p>
        )}
      </div>
      <DialogFooter>
        <Button variant="ghost" className="ml-auto" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" busy={isBusy} onClick={() => void save()}>
          Save members
        </Button>
      </DialogFooter>
    </>
  );
}
