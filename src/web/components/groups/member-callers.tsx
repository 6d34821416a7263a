import { MessagesSquare, User } from "lucide-react";
import Link from "next/link";
import type { Session } from "../../../schema/session.ts";
import { Icon } from "../elements/icon.tsx";
import { Panel } from "../elements/panel.tsx";

/** Who can use this member's tools, in whole. */
export function MemberCallers({ sessions, hasMore }: { sessions: readonly Session[]; hasMore: boolean }) {
  return (
    <Panel labelledBy="callers" className="px-4 pt-3.5 pb-3">
      <h2 id="callers" className="mb-2">
        Who may call it
      </h2>
      <ul className="grid gap-px">
        <li className={line}>
          <Icon of={User} className="size-[15px] text-ink-3" />
          You, by hand
        </li>
        {sessions.map(({ id, name }) => (
          <li key={id}>
            <Link href={`/sessions/${id}`} prefetch={false} className={`${line} -mx-1.5 rounded-1 px-1.5 hover:bg-hover`}>
              <Icon of={MessagesSquare} className="size-[15px] text-ink-3" />
              <bdi className="truncate">{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-ink-3">{remark(sessions.length, hasMore)}</p>
    </Panel>
  );
}

function remark(count: number, hasMore: boolean): string {
  if (count === 0) return "No session has it, so no agent can call it. Choose it when you start one.";
  if (hasMore) return `The agents of these ${count} sessions, and of older ones that have it. Agents of no other session.`;
  return `The agent of ${count === 1 ? "this session" : "these sessions"}. Agents of no other session.`;
}

const line = "flex min-h-[30px] items-center gap-2 max-rail:min-h-11";
