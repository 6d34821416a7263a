"use client";

import Link from "next/link";
import { memberHref } from "../../format/member-href.ts";
import { useRoster } from "../../live/roster-provider.tsx";

/** From a call that an agent made to the tool itself, where the Roster has it. */
export function OpenToolLink({ member, tool }: { member: string; tool: string }) {
  const owner = useRoster().find(({ name }) => name === member);
  if (owner?.tools.some(({ name }) => name === tool) !== true) return null;
  return (
    <Link
      href={memberHref(member, tool)}
      prefetch={false}
      className="ml-auto inline-flex items-center underline decoration-control underline-offset-3 hover:text-ink max-rail:min-h-11"
    >
      Open the tool
    </Link>
  );
}
