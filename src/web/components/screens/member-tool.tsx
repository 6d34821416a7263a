"use client";

import Link from "next/link";
import { memberHref } from "../../format/member-href.ts";
import { buttonClass } from "../elements/button.tsx";
import { Empty } from "../elements/empty.tsx";
import { ToolChange } from "../groups/member-changes.tsx";
import { useMemberHandle } from "../groups/member-context.ts";
import { ToolPane } from "./tool-pane.tsx";

/** One tool of the member: what waits to be accepted of it, and its form. */
export function MemberToolScreen({ name }: { name: string }) {
  const { member, accept } = useMemberHandle();
  const tool = member.tools.find((known) => known.name === name);
  if (tool === undefined) return <NoSuchTool member={member.name} tool={name} isConnected={member.status === "connected"} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {tool.accepted ? null : <ToolChange tool={tool} accept={accept} />}
      <ToolPane key={`${member.folder} ${tool.name}`} member={member} tool={tool} />
    </div>
  );
}

const NoSuchTool = ({ member, tool, isConnected }: { member: string; tool: string; isConnected: boolean }) => (
  <Empty
    isWholePage
    title={<code>{tool}</code>}
    action={
      <Link href={memberHref(member)} prefetch={false} className={buttonClass("default", "sm")}>
        See how it is connected
      </Link>
    }
  >
    {isConnected ? "This member has no tool of that name." : "Which tools this member has is known when it is connected."}
  </Empty>
);
