import type { ReactNode } from "react";
import { Glyph } from "./glyph.tsx";

type FieldProps = {
  /** Id of the control inside; hint and error are named after it. */
  htmlFor: string;
  label: ReactNode;
  /** "optional", "required", a type: what stands quietly beside the label. */
  aside?: string;
  hint?: string;
  error?: string | undefined;
  children: ReactNode;
};

/** A control with its label, its hint, and what is wrong with its value. */
export function Field({ htmlFor, label, aside, hint, error, children }: FieldProps) {
  return (
    <div className="grid min-w-0 gap-[5px]">
      <label htmlFor={htmlFor} className="flex items-baseline gap-2 font-medium">
        {label}
        {aside === undefined ? null : <span className="text-xs font-normal text-ink-3">{aside}</span>}
      </label>
      {children}
      {hint === undefined ? null : (
        <p id={`${htmlFor}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${htmlFor}-error`} role="alert" className="flex items-center gap-1.5 text-xs text-err">
          <Glyph of="failed" />
          {error}
        </p>
      )}
    </div>
  );
}
