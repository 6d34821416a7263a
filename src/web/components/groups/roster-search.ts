import type { MemberGlance, ToolGlance } from "../../live/member-glance.ts";

export type FoundTool = { member: MemberGlance; tool: ToolGlance };

/** Every tool with the text it can be found by, made once for many searches. */
export type RosterIndex = readonly (FoundTool & { name: string; text: string })[];

export const indexTools = (members: readonly MemberGlance[]): RosterIndex =>
  members.flatMap((member) => {
    const about = `${member.name} ${member.displayName}`.toLowerCase();
    return member.tools.map((tool) => {
      const name = tool.name.toLowerCase();
      return { member, tool, name, text: `${name} ${about} ${tool.summary.toLowerCase()}` };
    });
  });

/** Tools in which every word of the query occurs, in their name, their description or their member; those named like it first. */
export function findTools(index: RosterIndex, query: string): FoundTool[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const whole = words.join(" ");
  const ranks: FoundTool[][] = [[], [], []];
  for (const found of index) {
    if (words.every((word) => found.text.includes(word))) ranks[rankOf(found.name, whole)]?.push(found);
  }
  return ranks.flat();
}

/** Members in whose name or description every word of the query occurs. */
export function findMembers(members: readonly MemberGlance[], query: string): MemberGlance[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return members.filter(({ name, displayName, description }) => {
    const text = `${name} ${displayName} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

function rankOf(name: string, query: string): 0 | 1 | 2 {
  if (name.startsWith(query)) return 0;
  return name.includes(query) ? 1 : 2;
}
