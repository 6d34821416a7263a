"use client";

import { useState } from "react";
import type { Member, MemberTool } from "../../../schema/roster.ts";
import type { ToolDefinition } from "../../../schema/tool.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { MemberHandle } from "../../live/use-member.ts";
import { Button } from "../elements/button.tsx";
import { Chip } from "../elements/chip.tsx";
import { Diff } from "../elements/diff.tsx";
import { Glyph } from "../elements/glyph.tsx";
import { PersonNote, useClosedBecause } from "./person-note.tsx";

/** Tools whose definition no person has accepted yet. */
export const changedTools = ({ tools }: Member): MemberTool[] => tools.filter(({ accepted }) => !accepted);

/** Each tool that waits for a person, with the whole of its definition, which is the only place where it can be accepted. */
export function MemberChanges({ handle }: { handle: MemberHandle }) {
  const changed = changedTools(handle.member);
  if (changed.length === 0) return null;
  return (
    <section id="changes" aria-labelledby="changes-title" className="grid scroll-mt-4 grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="changes-title">Waiting for you</h2>
      {changed.map((tool) => (
        <ToolChange key={`${tool.name} ${tool.hash}`} tool={tool} accept={handle.accept} />
      ))}
    </section>
  );
}

export function ToolChange({ tool, accept }: { tool: MemberTool; accept: MemberHandle["accept"] }) {
  const [isBusy, setIsBusy] = useState(false);
  const closedBecause = useClosedBecause();
  const before = tool.change?.before ?? null;
  const press = async () => {
    setIsBusy(true);
    await accept([{ name: tool.name, hash: tool.hash }]);
    setIsBusy(false);
  };
  return (
    <article
      aria-label={`Change of ${tool.name}`}
      className="min-w-0 rounded-3 border border-brass-line bg-surface [--glyph:var(--brass-wash)]"
    >
      <div className="flex min-w-0 items-center gap-2 rounded-t-3 border-b border-brass-line bg-brass-wash px-3.5 py-2">
        <span className="text-brass">
          <Glyph of="waiting" className="size-4" />
        </span>
        <code className="truncate">{visibleText(tool.name)}</code>
        <Chip>{before === null ? "New tool" : "Changed"}</Chip>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 px-3.5 py-3">
        <p className="text-ink-2">
          {before === null
            ? "It was not there when you accepted this member's tools. This is all the member says of it."
            : "This is the whole definition. Lines with − are what you accepted last; lines with + are what it says now."}
        </p>
        <Diff
          label={`Definition of ${tool.name}`}
          before={before === null ? definitionText(tool) : definitionText(before)}
          after={definitionText(tool)}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line px-3.5 py-2.5">
        <Button variant="brass" busy={isBusy} disabledBecause={closedBecause} onClick={() => void press()}>
          Accept this definition
        </Button>
        <PersonNote to="accept it here" />
      </div>
    </article>
  );
}

function definitionText({ title, description, inputSchema, outputSchema, annotations }: ToolDefinition): string {
  const sections: [string, string | undefined][] = [
    ["Title", title],
    ["Description", description],
    ["Input", json(inputSchema)],
    ["Output", outputSchema === undefined ? undefined : json(outputSchema)],
    ["Annotations", annotations === undefined ? undefined : json(annotations)],
  ];
  return sections.flatMap(([name, text]) => (text === undefined ? [] : [`${name}\n${visibleText(text)}\n`])).join("\n");
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
