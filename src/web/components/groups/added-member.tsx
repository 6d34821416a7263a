"use client";

import Link from "next/link";
import { useEffect, useRef } from "react";
import { memberOffer } from "../../../client/member-offer.ts";
import type { Member } from "../../../schema/roster.ts";
import { memberHref } from "../../format/member-href.ts";
import { useMember } from "../../live/use-member.ts";
import { Button, buttonClass } from "../elements/button.tsx";
import { DialogFooter } from "../elements/dialog.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { MemberConnection } from "./member-connection.tsx";
import { memberStatus } from "./member-status.ts";

type AddedMemberProps = { member: Member; onClose: () => void; /** Where there is more to add. */ onNext?: () => void };

/** How the start of a member goes that was just added, step by step, until it is connected or its failure is explained. */
export function AddedMember({ member: added, onClose, onNext }: AddedMemberProps) {
  const handle = useMember(added);
  const { member } = handle;
  const { status, word } = memberStatus(member);
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-3 pb-5">
        <p ref={heading} tabIndex={-1} role="status" className="flex items-center gap-2.5 outline-0">
          <MemberMonogram name={member.name} size={28} />
          <bdi className="truncate font-semibold">{member.displayName}</bdi>
          <Status of={status} word={word} />
          <span className="ml-auto text-xs text-ink-3 tabular-nums">{member.status === "connected" ? memberOffer(member) : ""}</span>
        </p>
        <MemberConnection handle={handle} />
      </div>
      <DialogFooter>
        <span className="text-xs text-ink-3 max-rail:hidden">It stays in the Roster until you remove it.</span>
        <span className="ml-auto" />
        {onNext === undefined ? null : (
          <Button variant="ghost" onClick={onNext}>
            Back to the file
          </Button>
        )}
        <Button variant="ghost" onClick={onClose}>
          Done
        </Button>
        <Link href={memberHref(member.name)} prefetch={false} onClick={onClose} className={buttonClass("primary")}>
          Open its page
        </Link>
      </DialogFooter>
    </>
  );
}
