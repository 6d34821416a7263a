"use client";

import { useState } from "react";
import { Dialog } from "../elements/dialog.tsx";
import { Segment } from "../elements/segment.tsx";
import type { AddMember as NewMember, Member } from "../../../schema/roster.ts";
import { AddedMember } from "./added-member.tsx";
import { ConfirmMember } from "./confirm-member.tsx";
import { MemberCommandForm } from "./member-command-form.tsx";
import { MemberImport } from "./member-import.tsx";
import { emptyDraft } from "./member-draft.ts";
import { useShell } from "./shell-context.ts";

export function AddMemberDialog({ isOpen }: { isOpen: boolean }) {
  const { close } = useShell();
  return (
    <Dialog title="Add member" isOpen={isOpen} onClose={close} className="w-[min(640px,calc(100vw-24px))]">
      <AddMember onClose={close} />
    </Dialog>
  );
}

type Stage = { at: "writing" } | { at: "confirming"; member: NewMember; notes: readonly string[] } | { at: "added"; member: Member };
type Source = "command" | "file";

/** Lives only while the dialog is open: what to add, then the exact command to be confirmed, then how it went. */
function AddMember({ onClose }: { onClose: () => void }) {
  const [source, setSource] = useState<Source>("command");
  const [draft, setDraft] = useState(emptyDraft);
  const [file, setFile] = useState("");
  const [stage, setStage] = useState<Stage>({ at: "writing" });
  const confirm = (member: NewMember, notes: readonly string[] = []) => setStage({ at: "confirming", member, notes });
  const goBack = () => setStage({ at: "writing" });

  if (stage.at === "confirming") {
    return (
      <ConfirmMember member={stage.member} notes={stage.notes} onBack={goBack} onAdded={(member) => setStage({ at: "added", member })} />
    );
  }
  if (stage.at === "added") {
    return <AddedMember member={stage.member} onClose={onClose} {...(source === "file" ? { onNext: goBack } : {})} />;
  }
  return (
    <>
      <div className="px-5 pt-3">
        <Segment label="Add from" options={sources} value={source} onChange={setSource} />
      </div>
      {source === "command" ? (
        <MemberCommandForm draft={draft} onDraft={setDraft} onReview={confirm} onCancel={onClose} />
      ) : (
        <MemberImport text={file} onText={setFile} onReview={confirm} onCancel={onClose} />
      )}
    </>
  );
}

const sources = [
  { value: "command", label: "A command" },
  { value: "file", label: "From a file" },
] as const;
