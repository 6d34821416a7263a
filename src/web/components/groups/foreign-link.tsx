import type { ReactNode } from "react";

/** A link from a text nobody vouches for: it shows where it leads and opens apart from the hall. Anything but the web and mail stays text. */
export function ForeignLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const target = targetOf(href);
  if (target === null) return <span>{children}</span>;
  const isSaid = children === href || children === target;
  return (
    <>
      <a href={href} title={href} target="_blank" rel="noopener noreferrer" className="underline decoration-control underline-offset-3">
        {children}
      </a>
      {isSaid ? null : <span className="text-ink-3"> ({target})</span>}
    </>
  );
}

function targetOf(href: string | undefined): string | null {
  const url = URL.parse(href ?? "");
  if (url === null) return null;
  if (url.protocol === "mailto:") return url.pathname;
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : null;
}
