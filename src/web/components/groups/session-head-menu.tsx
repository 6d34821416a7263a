"use client";

import { CircleCheckBig, Ellipsis, FileDown, Trash2 } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { Session } from "../../../schema/session.ts";
import { useSessionExport } from "../../live/use-session-export.ts";
import { Button, buttonClass } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useShell } from "./shell-context.ts";
import { usePageCommands } from "./use-page-commands.ts";
import { useRenewal } from "./use-renewal.ts";

type SessionHeadMenuProps = { session: Session; onComplete: () => void; onDelete: () => void };

/** What is done with a session once in a while. */
export function SessionHeadMenu({ session, onComplete, onDelete }: SessionHeadMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { say } = useShell();
  const exported = useSessionExport(session.id, (failure) => say(failure, "failed"));
  const { renew } = useRenewal(session.id);
  const isRunning = session.status === "running";
  const busyWith = isRunning ? "It is running. Stop it first." : undefined;

  const cannotComplete = session.status === "completed" ? "It is completed already." : busyWith;
  usePageCommands([
    { id: "export-md", kind: "export", label: "Export as Markdown", run: () => void exported.save("md") },
    { id: "export-json", kind: "export", label: "Export as JSON", run: () => void exported.save("json") },
    ...(session.status === "expired" ? [{ id: "renew", kind: "renew" as const, label: "Renew session", run: renew }] : []),
    { id: "complete", kind: "complete", label: "Complete session", run: onComplete, disabledBecause: cannotComplete },
    { id: "delete", kind: "delete", label: "Delete session", run: onDelete, disabledBecause: busyWith },
  ]);

  const run = (action: () => void) => () => {
    setIsOpen(false);
    action();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.preventDefault();
    setIsOpen(false);
    opener.current?.focus();
  };
  return (
    <div
      role="presentation"
      className="relative flex-none"
      onKeyDown={onKeyDown}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || setIsOpen(false)}
    >
      <Button
        ref={opener}
        size="icon"
        aria-label="More for this session"
        title="More"
        aria-expanded={isOpen}
        busy={exported.isBusy}
        icon={<Icon of={Ellipsis} />}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen ? (
        <ul className="absolute top-full right-0 z-10 mt-1 grid w-56 rounded-3 border border-line-strong bg-raised p-1 shadow-2">
          <Item icon={FileDown} onPress={run(() => void exported.save("md"))} title="Export as Markdown" />
          <Item icon={FileDown} onPress={run(() => void exported.save("json"))} title="Export as JSON" />
          <Item icon={CircleCheckBig} onPress={run(onComplete)} title="Complete session" disabledBecause={cannotComplete} />
          <Item icon={Trash2} onPress={run(onDelete)} title="Delete session" tone="text-err!" disabledBecause={busyWith} />
        </ul>
      ) : null}
    </div>
  );
}

type ItemProps = { icon: LucideIcon; title: string; onPress: () => void; tone?: string; disabledBecause?: string | undefined };

const Item = ({ icon, title, onPress, tone = "", disabledBecause }: ItemProps) => (
  <li>
    <button
      type="button"
      {...(disabledBecause === undefined ? { onClick: onPress } : { "aria-disabled": true, title: disabledBecause })}
      className={buttonClass(
        "ghost",
        "md",
        `w-full justify-start! focus-visible:-outline-offset-2 ${disabledBecause === undefined ? tone : "text-ink-3!"}`,
      )}
    >
      <Icon of={icon} />
      {title}
    </button>
  </li>
);
