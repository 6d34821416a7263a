"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { shortJobId } from "../../format/job-href.ts";
import { memberHref } from "../../format/member-href.ts";
import { useRoster } from "../../live/roster-provider.tsx";

/** Where the reader is. On a small screen only the last step is shown. */
export function Crumbs() {
  const members = useRoster();
  const trail = trailOf(usePathname(), (name) => members.find((member) => member.name === name)?.displayName ?? name);
  return (
    <ol aria-label="Where you are" className="mr-auto flex min-w-0 items-center gap-1.5 whitespace-nowrap text-ink-3 max-rail:ml-1">
      {trail.map(({ name, href }, step) =>
        href === undefined ? (
          <li
            key={`${step} ${name}`}
            aria-current="page"
            className="min-w-0 overflow-hidden font-medium text-ellipsis text-ink max-rail:text-[15px]"
          >
            {name}
          </li>
        ) : (
          <li key={`${step} ${name}`} className="flex gap-1.5 after:text-control after:content-['/'] max-rail:hidden">
            <Link href={href} prefetch={false} className="hover:text-ink">
              {name}
            </Link>
          </li>
        ),
      )}
    </ol>
  );
}

type Step = { name: string; href?: string };

function trailOf(path: string, displayName: (member: string) => string): Step[] {
  const hall = { name: "Hall", href: "/" };
  if (path === "/") return [{ name: "Hall" }];
  if (path.startsWith("/sessions/")) return [hall, { name: "Workshop" }];
  if (path === "/roster") return [{ name: "Roster" }];
  if (path.startsWith("/roster/")) return rosterTrail(path, displayName);
  if (path === "/jobs") return [{ name: "Jobs" }];
  if (path.startsWith("/jobs/"))
    return [{ name: "Jobs", href: "/jobs" }, { name: shortJobId(decodeURIComponent(path.split("/")[3] ?? "")) }];
  if (path === "/settings") return [{ name: "Settings" }];
  if (path === "/gallery") return [{ name: "Settings", href: "/settings" }, { name: "Components" }];
  return [hall, { name: "Not found" }];
}

function rosterTrail(path: string, displayName: (member: string) => string): Step[] {
  const [member = "", tool] = path.split("/").slice(2).map(decodeURIComponent);
  const roster = { name: "Roster", href: "/roster" };
  if (tool === undefined) return [roster, { name: displayName(member) }];
  return [roster, { name: displayName(member), href: memberHref(member) }, { name: tool }];
}
