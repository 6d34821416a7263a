"use client";

import { PanelRight, Square, Trash2 } from "lucide-react";
import type { Session } from "../../../schema/session.ts";
import { counted, money } from "../../format/figures.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { Status } from "../elements/status.tsx";
import { sessionStatus } from "./session-status.ts";

type SessionHeadProps = {
  session: Session;
  messageCount: number;
  isStopping: boolean;
  isPanelShown: boolean;
  onStop: () => void;
  onDelete: () => void;
  onPanel: () => void;
};

export function SessionHead({ session, messageCount, isStopping, isPanelShown, onStop, onDelete, onPanel }: SessionHeadProps) {
  const { status, word } = sessionStatus(session);
  const isRunning = session.status === "running";
  return (
    <header className="flex items-center gap-3 border-b border-line px-6 py-2.5 max-rail:gap-2.5 max-rail:px-4 max-rail:py-1">
      <h1 className="min-w-0 overflow-hidden text-xl text-ellipsis whitespace-nowrap max-rail:text-panel">{session.name}</h1>
      <Status of={status} word={word} />
      <span className="ml-auto text-xs whitespace-nowrap text-ink-2 tabular-nums max-column:hidden">
        {counted(messageCount, "message")}, {money(session.costUsd)}
      </span>
      <Button
        size="icon"
        className="max-column:ml-auto"
        aria-label="Delete session"
        icon={<Icon of={Trash2} />}
        {...(isRunning ? { disabledBecause: "It is running. Stop it first." } : { title: "Delete session" })}
        onClick={onDelete}
      />
      <Button
        size="icon"
        className="max-column:hidden"
        aria-label="Session panel"
        aria-expanded={isPanelShown}
        title={`${isPanelShown ? "Hide" : "Show"} the panel beside it, key [`}
        icon={<Icon of={PanelRight} />}
        onClick={onPanel}
      />
      {isRunning ? (
        <Button icon={<Icon of={Square} className="size-[15px]" />} hotkey="Esc" busy={isStopping} onClick={onStop}>
          Stop
        </Button>
      ) : null}
    </header>
  );
}
