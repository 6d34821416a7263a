import type { LucideIcon } from "lucide-react";

/** A lucide icon in the house's weight. It is always beside words, or inside a control that has a name, so it is hidden from readers. */
export function Icon({ of: Drawing, className = "size-4" }: { of: LucideIcon; className?: string }) {
  return <Drawing aria-hidden strokeWidth={1.75} className={`block flex-none ${className}`} />;
}
