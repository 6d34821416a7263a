import type { MemberTool } from "../../schema/roster.ts";
import type { AcceptedTool } from "./accepted-tools.ts";

/** Which of a member's tools a person has accepted as they are, and what there is to say about the others. */
export function judgeTools(tools: readonly AcceptedTool[], accepted: readonly AcceptedTool[]): MemberTool[] {
  const known = new Map(accepted.map((tool) => [tool.definition.name, tool]));
  return tools.map(({ hash, definition }) => {
    const before = known.get(definition.name);
    if (before?.hash === hash) return { ...definition, hash, accepted: true, change: null };
    const change: MemberTool["change"] =
      before === undefined ? { kind: "new", before: null } : { kind: "changed", before: before.definition };
    return { ...definition, hash, accepted: false, change };
  });
}

/** What is accepted when these are too. What a member no longer has stays: it may come back as it was. */
export function withAccepted(accepted: readonly AcceptedTool[], more: readonly AcceptedTool[]): AcceptedTool[] {
  const names = new Set(more.map(({ definition }) => definition.name));
  return [...accepted.filter(({ definition }) => !names.has(definition.name)), ...more];
}
