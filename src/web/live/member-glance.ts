import type { Member, MemberTool } from "../../schema/roster.ts";
import { visibleText } from "../format/visible-text.ts";

/**
 * A member as lists show it: everything but the definitions of its tools. Every page carries the whole Roster, and a
 * thousand schemas would weigh more than all the rest.
 */
export type MemberGlance = Omit<Member, "tools"> & { tools: readonly ToolGlance[] };

export type ToolGlance = Pick<MemberTool, "name" | "accepted"> & { summary: string };

/** One line on a screen holds no more, and a description may be as long as its author likes. */
const longestSummary = 240;

export const glanceAt = ({ tools, ...member }: Member): MemberGlance => ({ ...member, tools: tools.map(toolGlance) });

/** What a page is drawn with at first. Tools are read as soon as it has come alive, and are in sight only when somebody opens a member. */
export const firstGlanceAt = ({ tools: _read, ...member }: Member): MemberGlance => ({ ...member, tools: [] });

const toolGlance = ({ name, description, accepted }: MemberTool): ToolGlance => ({ name, accepted, summary: summaryOf(description) });

/** The beginning of a tool's description, on one line. */
export function summaryOf(description: string): string {
  const line = visibleText(description.slice(0, longestSummary * 2).replaceAll(/\s+/g, " ")).trim();
  return line.length > longestSummary ? `${line.slice(0, longestSummary - 1)}…` : line;
}
