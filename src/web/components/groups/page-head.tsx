import type { ReactNode } from "react";

/** A page's heading, one sentence on how things stand, and what can be done here; the ledger rule below. */
export function PageHead({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="ledger-rule mb-5 flex items-end gap-4 pb-4 max-rail:flex-col max-rail:items-stretch max-rail:gap-3">
      <div className="min-w-0">
        <h1>{title}</h1>
        {children === undefined ? null : <p className="mt-0.5 text-ink-2">{children}</p>}
      </div>
      {actions === undefined ? null : (
        <div className="ml-auto flex flex-none flex-wrap justify-end gap-2 max-rail:ml-0 max-rail:[&>*]:min-h-11 max-rail:[&>*]:flex-1">
          {actions}
        </div>
      )}
    </header>
  );
}
