"use client";

import { useId, useState } from "react";
import type { ToolCall } from "../../../schema/tool-call.ts";
import { Button } from "../elements/button.tsx";
import { Input } from "../elements/input.tsx";

type SavedCallsProps = {
  calls: readonly ToolCall[];
  /** The one that was deleted last, for as long as it can be brought back. */
  deleted: ToolCall | null;
  isRunning: boolean;
  onSave: (name: string) => Promise<boolean>;
  onRun: (call: ToolCall) => void;
  onLoad: (call: ToolCall) => void;
  onDelete: (call: ToolCall) => void;
  onUndo: () => void;
};

/** Inputs that somebody keeps under a name. */
export function SavedCalls({ calls, deleted, isRunning, onSave, onRun, onLoad, onDelete, onUndo }: SavedCallsProps) {
  return (
    <section aria-labelledby="saved-calls" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="saved-calls">Saved calls</h2>
      {calls.length === 0 ? null : (
        <ul className="divide-y divide-line overflow-hidden rounded-2 border border-line bg-surface">
          {calls.map((call) => (
            <li key={call.id} className="flex flex-wrap items-center gap-1 py-1 pr-1.5 pl-3">
              <span className="min-w-0 flex-1 basis-40 font-medium [overflow-wrap:anywhere]">{call.name}</span>
              <Button
                size="sm"
                aria-label={`Run ${call.name ?? ""}`}
                {...(isRunning ? { disabledBecause: "A call is running. Wait for it, or stop it." } : {})}
                onClick={() => onRun(call)}
              >
                Run
              </Button>
              <Button size="sm" variant="ghost" aria-label={`Load ${call.name ?? ""} into the form`} onClick={() => onLoad(call)}>
                Load
              </Button>
              <Button size="sm" variant="ghost" aria-label={`Delete ${call.name ?? ""}`} onClick={() => onDelete(call)}>
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
      {deleted === null ? null : (
        <p role="status" className="flex flex-wrap items-center gap-2 text-ink-2">
          <span className="[overflow-wrap:anywhere]">{deleted.name} is deleted.</span>
          <Button size="sm" onClick={onUndo}>
            Undo
          </Button>
        </p>
      )}
      <SaveCall onSave={onSave} />
    </section>
  );
}

function SaveCall({ onSave }: { onSave: (name: string) => Promise<boolean> }) {
  const id = useId();
  const [name, setName] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    if (name.trim() === "" || isBusy) return;
    setIsBusy(true);
    if (await onSave(name.trim())) setName("");
    setIsBusy(false);
  };
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="grid min-w-0 flex-1 gap-1">
        <label htmlFor={id} className="text-xs text-ink-3">
          Save the input as it is now, under a name
        </label>
        <Input id={id} value={name} maxLength={200} autoComplete="off" onChange={(event) => setName(event.target.value)} />
      </div>
      <Button
        className="h-(--h-lg)"
        type="submit"
        busy={isBusy}
        {...(name.trim() === "" ? { disabledBecause: "Give it a name first." } : {})}
      >
        Save
      </Button>
    </form>
  );
}
