import type { ReactNode } from "react";

/** A short fact beside other short facts. */
export function Chip({ icon, warning = false, children }: { icon?: ReactNode; warning?: boolean; children: ReactNode }) {
  const tone = warning ? "border-warn/32 bg-warn-wash text-warn" : "border-line bg-surface text-ink-2";
  return (
    <span className={`inline-flex h-5.5 items-center gap-[5px] rounded-1 border px-[7px] text-xs leading-none whitespace-nowrap ${tone}`}>
      {icon}
      {children}
    </span>
  );
}
