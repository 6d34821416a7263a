"use client";

import { ArrowLeft, PanelRight, Square } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { money } from "../../../schema/money.ts";
import type { Session } from "../../../schema/session.ts";
import { counted } from "../../format/figures.ts";
import { Button, buttonClass } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { Status } from "../elements/status.tsx";
import { CompleteSessionDialog } from "./complete-session-dialog.tsx";
import { RenameSession } from "./rename-session.tsx";
import { RenewButton } from "./renew-button.tsx";
import { SessionHeadMenu } from "./session-head-menu.tsx";
import { sessionStatus } from "./session-status.ts";

type SessionHeadProps = {
  session: Session;
  isStopping: boolean;
  isPanelShown: boolean;
  onStop: () => void;
  onDelete: () => void;
  onPanel: () => void;
};

/** Which session this is, how it stands, and what can be done with all of it. */
export function SessionHead({ session, isStopping, isPanelShown, onStop, onDelete, onPanel }: SessionHeadProps) {
  const { status, word, shortWord } = sessionStatus(session);
  const [isCompleting, setIsCompleting] = useState(false);
  return (
    <header className="flex items-center gap-3 border-b border-line px-6 py-2.5 max-rail:gap-1.5 max-rail:px-2 max-rail:py-1">
      <Link
        href="/"
        prefetch={false}
        aria-label="Back to the Board"
        title="Back to the Board"
        className={buttonClass("ghost", "icon", "-ml-2 max-rail:ml-0")}
      >
        <Icon of={ArrowLeft} />
      </Link>
      <RenameSession session={session} />
      {shortWord === undefined ? (
        <Status of={status} word={word} />
      ) : (
        <>
          <span className="flex max-rail:hidden">
            <Status of={status} word={word} />
          </span>
          <span className="flex rail:hidden">
            <Status of={status} word={shortWord} />
          </span>
        </>
      )}
      <span className="ml-auto flex-none text-xs whitespace-nowrap text-ink-2 tabular-nums max-column:hidden">
        {counted(session.messageCount, "message")}, {money(session.costUsd)}
      </span>
      <span className="flex flex-none items-center gap-1 max-column:ml-auto">
        {session.status === "expired" ? <RenewButton session={session} variant="primary" /> : null}
        <SessionHeadMenu session={session} onComplete={() => setIsCompleting(true)} onDelete={onDelete} />
        <Button
          size="icon"
          className="max-column:hidden"
          aria-label="Session panel"
          aria-expanded={isPanelShown}
          title={`${isPanelShown ? "Hide" : "Show"} the panel beside it, key [`}
          icon={<Icon of={PanelRight} />}
          onClick={onPanel}
        />
      </span>
      {session.status === "running" ? (
        <Button icon={<Icon of={Square} className="size-[15px]" />} hotkey="Esc" busy={isStopping} onClick={onStop}>
          Stop
        </Button>
      ) : null}
      <CompleteSessionDialog session={session} isOpen={isCompleting} onClose={() => setIsCompleting(false)} />
    </header>
  );
}
