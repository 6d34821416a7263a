import Link from "next/link";
import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

/** One of several like things. With an address the whole card is the link. */
export function Card({
  href,
  busy = false,
  children,
  className,
}: {
  href?: string;
  busy?: boolean;
  children: ReactNode;
  className?: string;
}) {
  const look = classNames("flex min-w-0 flex-col gap-1.5 rounded-3 border border-line bg-surface px-3 pt-[11px] pb-2.5", className);
  if (href === undefined) {
    return (
      <div aria-busy={busy || undefined} className={look}>
        {children}
      </div>
    );
  }
  return (
    <Link href={href} prefetch={false} className={`${look} transition-colors duration-(--t-fast) ease-house hover:border-control`}>
      {children}
    </Link>
  );
}
