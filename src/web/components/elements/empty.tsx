import type { ReactNode } from "react";

/** Where nothing is yet: what would be here, in one sentence, and the one action that fills it. */
export function Empty({ title, children, action }: { title: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid content-start justify-items-start gap-[5px] rounded-3 border border-dashed border-line-strong p-5 text-ink-2">
      <h3 className="text-md text-ink">{title}</h3>
      <p className="max-w-[56ch]">{children}</p>
      {action === undefined ? null : <div className="mt-1.5">{action}</div>}
    </div>
  );
}
