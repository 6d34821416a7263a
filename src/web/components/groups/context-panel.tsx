"use client";

import { useState } from "react";
import type { ContextHandle } from "../../live/use-context-file.ts";
import type { SidePart } from "../../live/use-side-panel.ts";
import { Segment } from "../elements/segment.tsx";
import { Skeleton } from "../elements/skeleton.tsx";
import { ContextConflictDialog } from "./context-conflict-dialog.tsx";
import { ContextField } from "./context-field.tsx";
import { ContextSaved } from "./context-saved.tsx";
import { Markdown } from "./markdown.tsx";
import { SessionPanelSection } from "./session-panel-section.tsx";

/** The file that a session and a person share, to be read and written by both. */
export function ContextPanel({ context, shown }: { context: ContextHandle; shown: SidePart }) {
  const [view, setView] = useState<"edit" | "preview">("edit");
  const [isComparing, setIsComparing] = useState(false);
  const { state } = context;
  return (
    <SessionPanelSection
      part="context"
      title="Context"
      aside={<code>context.md</code>}
      action={<Segment label="context.md" options={views} value={view} onChange={setView} />}
      shown={shown}
    >
      {state.base === null ? (
        state.failure === null ? (
          <Skeleton width="60%" />
        ) : null
      ) : view === "edit" ? (
        <ContextField text={state.text} onType={context.type} onLeave={context.saveNow} />
      ) : (
        <div className="max-h-[min(46vh,420px)] min-h-[120px] overflow-auto rounded-2 border border-line bg-surface px-3 py-2 text-sm max-column:max-h-[62vh]">
          {state.text.trim() === "" ? <p className="text-ink-3">It is empty.</p> : <Markdown text={state.text} />}
        </div>
      )}
      <ContextSaved state={state} onCompare={() => setIsComparing(true)} onRetry={context.retry} />
      <ContextConflictDialog
        state={state}
        isOpen={isComparing && state.theirs !== null}
        onClose={() => setIsComparing(false)}
        onChoose={(choices) => {
          setIsComparing(false);
          context.choose(choices);
        }}
      />
    </SessionPanelSection>
  );
}

const views = [
  { value: "edit", label: "Edit" },
  { value: "preview", label: "Preview" },
] as const;
