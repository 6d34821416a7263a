import type { ReactNode } from "react";

/** Samples in a line that wraps. */
export const Flow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 [&+*]:mt-3">{children}</div>
);

/** Samples below one another. */
export const Stack = ({ children }: { children: ReactNode }) => <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">{children}</div>;

export const Remark = ({ children }: { children: ReactNode }) => <p className="text-xs text-ink-3">{children}</p>;
