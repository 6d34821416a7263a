import type { ReactNode } from "react";
import { Glyph } from "../../elements/glyph.tsx";
import { FieldName } from "./field-name.tsx";
import type { FieldFacts } from "./field-name.tsx";

type FieldFrameProps = { id: string; facts: FieldFacts; problem: string | undefined; actions?: ReactNode; children: ReactNode };

/** One control with its name, what it is for, and what is wrong with it. */
export function FieldFrame({ id, facts, problem, actions, children }: FieldFrameProps) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-[5px]">
      <div className="flex min-w-0 items-baseline gap-2">
        <label htmlFor={id} className="flex min-w-0 flex-wrap items-baseline gap-x-2 font-medium">
          <FieldName {...facts} />
        </label>
        {actions}
      </div>
      {children}
      <FieldNotes id={id} hint={facts.hint} problem={problem} />
    </div>
  );
}

/** Several controls that are one part of the input. */
export function GroupFrame({ id, facts, problem, actions, children }: FieldFrameProps) {
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={`${id}-hint ${id}-error`}
      {...(problem === undefined ? {} : { "data-invalid": true })}
      className={`relative grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-2 border px-3 pt-2.5 pb-3 ${problem === undefined ? "border-line" : "border-err"}`}
    >
      <legend className="-ml-1.5 flex max-w-full flex-wrap items-baseline gap-x-2 px-1.5 font-medium rail:max-w-[calc(100%-100px)]">
        <FieldName {...facts} />
      </legend>
      <div className="flex items-center justify-end empty:hidden max-rail:-mt-5 max-rail:-mb-3 rail:absolute rail:-top-[22px] rail:right-2 rail:min-h-6 rail:bg-paper rail:px-1">
        {actions}
      </div>
      <FieldNotes id={id} hint={facts.hint} problem={problem} />
      {children}
    </fieldset>
  );
}

export function FieldNotes({ id, hint, problem }: { id: string; hint: string | undefined; problem: string | undefined }) {
  return (
    <>
      <p id={`${id}-hint`} className="text-xs text-ink-3 [overflow-wrap:anywhere] empty:hidden">
        {hint}
      </p>
      <p id={`${id}-error`} className="flex items-center gap-1.5 text-xs text-err [overflow-wrap:anywhere] empty:hidden">
        {problem === undefined ? null : (
          <>
            <Glyph of="failed" />
            {problem}
          </>
        )}
      </p>
    </>
  );
}
