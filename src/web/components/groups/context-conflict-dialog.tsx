"use client";

import { useState } from "react";
import { conflictOf } from "../../context/context-state.ts";
import type { ContextState } from "../../context/context-state.ts";
import type { Choice, Region } from "../../context/merge.ts";
import { Button } from "../elements/button.tsx";
import { Code } from "../elements/code.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { Segment } from "../elements/segment.tsx";

type ContextConflictDialogProps = {
  state: ContextState;
  isOpen: boolean;
  onClose: () => void;
  onChoose: (choices: readonly Choice[]) => void;
};

/** Both versions of each place that two changed, beside each other, to choose from. What only one changed is in already. */
export function ContextConflictDialog({ state, isOpen, onClose, onChoose }: ContextConflictDialogProps) {
  const regions = isOpen ? conflictOf(state) : [];
  const conflicts = regions.filter((region) => region.kind === "conflict");
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({});
  // A choice is for these words. When they change while somebody looks, it is to be made again.
  const choices = conflicts.map((conflict) => chosen[wordsOf(conflict)] ?? "both");
  const footer = (
    <>
      <Button variant="ghost" className="ml-auto" onClick={onClose}>
        Decide later
      </Button>
      <Button variant="primary" data-first-focus onClick={() => onChoose(choices)}>
        Save this
      </Button>
    </>
  );
  return (
    <Dialog title="Changed here and on disk" isOpen={isOpen} onClose={onClose} footer={footer} className="w-[min(980px,calc(100vw-24px))]!">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 px-5 pt-2 pb-5">
        <p className="text-ink-2">
          {conflicts.length === 1 ? "One place was" : `${conflicts.length} places were`} changed on both sides. Everything else is put
          together already.
        </p>
        {conflicts.map((conflict, at) => (
          <section key={wordsOf(conflict)} aria-label={`Place ${at + 1}`} className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <div className="grid grid-cols-2 gap-3 max-rail:grid-cols-1">
              <Side title="Yours" label={`Yours, place ${at + 1}`} lines={conflict.mine} isKept={choices[at] !== "theirs"} />
              <Side title="On disk" label={`On disk, place ${at + 1}`} lines={conflict.theirs} isKept={choices[at] !== "mine"} />
            </div>
            <div>
              <Segment
                label={`What to keep, place ${at + 1}`}
                options={options}
                value={choices[at] ?? "both"}
                onChange={(choice) => setChosen((before) => ({ ...before, [wordsOf(conflict)]: choice }))}
              />
            </div>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const options = [
  { value: "mine", label: "Keep yours" },
  { value: "theirs", label: "Keep what is on disk" },
  { value: "both", label: "Keep both" },
] as const;

type Conflict = Extract<Region, { kind: "conflict" }>;

const wordsOf = ({ mine, theirs }: Conflict): string => JSON.stringify([mine, theirs]);

const Side = ({ title, label, lines, isKept }: { title: string; label: string; lines: string[]; isKept: boolean }) => (
  <div className="min-w-0">
    <h3 className="mb-1 text-xs text-ink-2">
      {title}
      {isKept ? "" : ", left out"}
    </h3>
    <Code label={label} className={`max-h-[34vh] border ${isKept ? "border-control" : "border-dashed border-line line-through"}`}>
      {lines.length === 0 ? "(nothing)" : lines.join("\n")}
    </Code>
  </div>
);
