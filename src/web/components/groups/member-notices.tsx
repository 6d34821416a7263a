"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { memberHref } from "../../format/member-href.ts";
import type { MemberHandle } from "../../live/use-member.ts";
import { Banner } from "../elements/banner.tsx";
import { buttonClass } from "../elements/button.tsx";
import { changedTools } from "./member-changes.tsx";

/** What a reader of any of this member's pages must know, with the way to where it can be dealt with. */
export function MemberNotices({ handle: { member, failure } }: { handle: MemberHandle }) {
  const path = usePathname();
  const home = memberHref(member.name);
  const changed = changedTools(member);
  const isElsewhere = path !== home;
  if (failure === null && changed.length === 0 && (member.status === "connected" || !isElsewhere)) return null;
  return (
    <div role="status" className="mb-5 grid gap-2">
      {failure === null ? null : <Banner title={failure} />}
      {isElsewhere && member.status === "error" ? (
        <Banner title={`${member.displayName} is not connected.`} action={<ToPage href={home} says="See why" />}>
          Its tools cannot be used until it is.
        </Banner>
      ) : null}
      {changed.length === 0 ? null : (
        <Banner
          tone="warning"
          title={changed.length === 1 ? "1 tool waits for you." : `${changed.length} tools wait for you.`}
          action={isElsewhere ? <ToPage href={`${home}#changes`} says="Review" /> : null}
        >
          {changed.length === 1 ? "It is" : "They are"} new or changed since you accepted the tools of this member. No agent gets{" "}
          {changed.length === 1 ? "it" : "them"} before you have looked and accepted.
        </Banner>
      )}
    </div>
  );
}

const ToPage = ({ href, says }: { href: string; says: string }) => (
  <Link href={href} prefetch={false} className={buttonClass("default", "sm")}>
    {says}
  </Link>
);
