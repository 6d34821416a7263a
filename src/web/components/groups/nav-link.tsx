"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

type NavLinkProps = {
  href: string;
  /** Every page below this address counts as this link's own. */
  within?: string;
  title: string;
  className: string;
  children: ReactNode;
};

/** A link of the rail or the tab bar that knows whether it is the page being shown. */
export function NavLink({ href, within, title, className, children }: NavLinkProps) {
  const path = usePathname();
  const isCurrent = within === undefined ? path === href : path.startsWith(within);
  return (
    <Link href={href} prefetch={false} title={title} aria-current={isCurrent ? "page" : undefined} className={className}>
      {children}
    </Link>
  );
}
