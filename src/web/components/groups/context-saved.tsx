"use client";

import { Check, LoaderCircle, Pencil, TriangleAlert } from "lucide-react";
import { hasChanges } from "../../context/context-state.ts";
import type { ContextState } from "../../context/context-state.ts";
import { clockTime } from "../../format/age.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";

type ContextSavedProps = { state: ContextState; onCompare: () => void; onRetry: () => void };

/** How what is being written stands to what is on the disk, and the one thing to press where something is to be decided. */
export function ContextSaved({ state, onCompare, onRetry }: ContextSavedProps) {
  if (state.theirs !== null) {
    return (
      <Line
        icon={TriangleAlert}
        tone="text-warn"
        action={
          <Button size="sm" onClick={onCompare}>
            Compare
          </Button>
        }
      >
        <b className="text-warn">Changed on disk.</b> The same lines were changed there and here. Your text is kept and not saved yet.
      </Line>
    );
  }
  if (state.failure !== null) {
    return (
      <Line
        icon={TriangleAlert}
        tone="text-err"
        action={
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {state.failure}
      </Line>
    );
  }
  if (state.base === null) return <Line icon={LoaderCircle}>Reading it.</Line>;
  if (state.isSaving) return <Line icon={LoaderCircle}>Saving.</Line>;
  if (hasChanges(state)) return <Line icon={Pencil}>Not saved yet.</Line>;
  return (
    <Line icon={Check}>
      {state.savedAt === null ? "Saved." : `Saved ${clockTime(state.savedAt)}.`} The agent reads it again with your next message.
    </Line>
  );
}

type LineProps = { icon: typeof Check; tone?: string; action?: React.ReactNode; children: React.ReactNode };

const Line = ({ icon, tone = "", action, children }: LineProps) => (
  <div className="mt-[7px] flex items-start gap-2 text-xs text-ink-3">
    <span className={`mt-0.5 ${tone}`}>
      <Icon of={icon} className="size-3.5" />
    </span>
    <span role="status" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
      {children}
    </span>
    {action}
  </div>
);
