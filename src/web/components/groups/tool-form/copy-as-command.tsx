"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { asCurl, asHallCommand, tokenHeader } from "../../../tool-form/copy-as.ts";
import type { JsonObject } from "../../../tool-form/json.ts";
import { Code } from "../../elements/code.tsx";
import { CopyButton } from "../../elements/copy-button.tsx";
import { Icon } from "../../elements/icon.tsx";

/** The present call as commands for a terminal. They are made when somebody looks. */
export function CopyAsCommand(call: { member: string; tool: string; input: JsonObject }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)} className="group/copy">
      <summary className="flex min-h-6 list-none items-center gap-1.5 rounded-1 text-xs text-ink-2 max-rail:min-h-11">
        <Icon of={ChevronRight} className="size-[13px] group-open/copy:rotate-90" />
        As a command for a terminal
      </summary>
      {isOpen ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-2">
          <Command name="curl" text={asCurl({ origin: location.origin, ...call })}>
            <p className="text-xs text-ink-3">
              A hall that has a token also wants <code>{tokenHeader}</code>
            </p>
          </Command>
          <Command name="guild-hall" text={asHallCommand(call)} />
        </div>
      ) : null}
    </details>
  );
}

const mostShown = 4000;

const Command = ({ name, text, children }: { name: string; text: string; children?: React.ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
    <div className="flex items-center justify-between">
      <code className="text-xs">{name}</code>
      <CopyButton text={text}>{`Copy as ${name}`}</CopyButton>
    </div>
    <Code label={`The call for ${name}`} className="max-h-40">
      {text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}
    </Code>
    {children}
  </div>
);
