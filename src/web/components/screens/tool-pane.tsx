"use client";

import type { Member, MemberTool } from "../../../schema/roster.ts";

/** One tool of a member, to be used by hand: its input, what it answered, and earlier runs. */
export function ToolPane({ tool }: { member: Member; tool: MemberTool }) {
  return (
    <section aria-labelledby="tool-pane">
      <h2 id="tool-pane">
        <code>{tool.name}</code>
      </h2>
      <p className="text-ink-2">{tool.description}</p>
    </section>
  );
}
