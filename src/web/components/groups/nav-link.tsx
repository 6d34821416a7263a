"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

/** A link of the rail or the tab bar that knows whether it is the page being shown. */
export function NavLink({ href, title, className, children }: { href: string; title: string; className: string; children: ReactNode }) {
  const isCurrent = usePathname() === href;
  return (
    <Link href={href} prefetch={false} title={title} aria-current={isCurrent ? "page" : undefined} className={className}>
      {children}
    </Link>
  );
}
