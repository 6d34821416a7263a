"use client";

import { RotateCcw, ScrollText, Trash2 } from "lucide-react";
import { joinCommandLine } from "../../format/command-line.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { MemberHandle } from "../../live/use-member.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { UpTime } from "../elements/up-time.tsx";
import { canRestart, memberStatus } from "./member-status.ts";
import { useClosedBecause } from "./person-note.tsx";

type MemberHeadProps = { handle: MemberHandle; onLog: () => void; onRemove: () => void };

export function MemberHead({ handle, onLog, onRemove }: MemberHeadProps) {
  const { member, isRestarting, restart } = handle;
  const { status, word } = memberStatus(member);
  const closedBecause = useClosedBecause();
  const command = visibleText(joinCommandLine(member.command));
  return (
    <header className="ledger-rule mb-5 flex items-end gap-4 pb-4 max-rail:flex-col max-rail:items-stretch max-rail:gap-3">
      <div className="flex min-w-0 items-center gap-3.5">
        <MemberMonogram name={member.name} size={44} />
        <div className="min-w-0">
          <h1 className="[overflow-wrap:anywhere]">
            <bdi>{member.displayName}</bdi>
          </h1>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3.5 gap-y-1 text-xs text-ink-2">
            <span role="status" className="inline-flex">
              <Status of={status} word={word} />
            </span>
            <bdi className="line-clamp-2 [overflow-wrap:anywhere]">{member.description}</bdi>
            {member.transport === null ? null : (
              <span className="inline-flex max-w-full min-w-0 gap-1.5">
                <code className="bg-transparent p-0 text-[12px]">{member.transport}</code>
                <span className="truncate" title={command.slice(0, 2000)}>
                  {command}
                </span>
              </span>
            )}
            {member.status === "connected" && member.startedAt !== null ? <UpTime since={member.startedAt} /> : null}
          </p>
        </div>
      </div>
      <div className="ml-auto flex flex-none flex-wrap justify-end gap-2 max-rail:ml-0 max-rail:[&>*]:min-h-11 max-rail:[&>*]:flex-1">
        <Button icon={<Icon of={ScrollText} className="size-[15px]" />} aria-haspopup="dialog" onClick={onLog}>
          Log
        </Button>
        {canRestart(member) ? (
          <Button
            icon={<Icon of={RotateCcw} className="size-[15px]" />}
            busy={isRestarting}
            disabledBecause={closedBecause}
            onClick={() => void restart()}
          >
            Restart
          </Button>
        ) : null}
        <Button
          icon={<Icon of={Trash2} className="size-[15px]" />}
          aria-haspopup="dialog"
          disabledBecause={closedBecause}
          onClick={onRemove}
        >
          Remove…
        </Button>
      </div>
    </header>
  );
}
