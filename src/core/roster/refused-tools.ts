import type { MemberName } from "../../schema/ids.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import { nameForModel, whyNameIsRefused } from "../agent/tool-name.ts";
import { judgeSchema } from "./judge-schema.ts";

/** A tool that no agent is offered. `reason` is in the hall's own words; `detail` may hold what the member wrote. */
export type RefusedTool = { name: string; reason: string; detail: string | null };

export function refuseTool(member: MemberName, { name, inputSchema }: ToolDefinition): RefusedTool[] {
  const reason = whyNameIsRefused(member, name);
  if (reason !== null) return [{ name, reason, detail: null }];
  const detail = judgeSchema(inputSchema)?.slice(-mostOfDetail).toWellFormed() ?? null;
  return detail === null ? [] : [{ name, reason: "its input schema is not valid JSON Schema of draft 2020-12", detail }];
}

/** Refuses all but the first of several tools that agents would know by the same name. The SDK would drop them silently. */
export function refuseSameNames(member: MemberName, names: readonly string[]): RefusedTool[] {
  const taken = new Map<string, string>();
  return names.flatMap((name) => {
    const seenAs = nameForModel(member, name);
    const first = taken.get(seenAs);
    if (first !== undefined)
      return [{ name, reason: `its name for agents, "${seenAs}", is that of another tool`, detail: `"${cut(first)}"` }];
    taken.set(seenAs, name);
    return [];
  });
}

/** For people, on the member's card. */
export function noteOnRefused(refused: readonly RefusedTool[]): string {
  const words = refused.map(({ name, reason, detail }) => `"${cut(name)}": ${reason}${detail === null ? "" : ` (${detail})`}`);
  const count = refused.length === 1 ? "One tool is" : `${refused.length} tools are`;
  return `${count} not offered to agents (${fewOf(words)}).`;
}

/** For an agent, whose instructions must not hold what a member wrote. Names are as harmless then as those of offered tools. */
export const refusedForAgent = (member: string, refused: readonly RefusedTool[]): string =>
  `${member}: ${fewOf(refused.map(({ name, reason }) => `"${cut(name).replaceAll(/[^a-zA-Z0-9_…-]/g, "?")}" (${reason})`))}`;

const mostNamed = 3;
/** The end says what is wrong; the path before it may be long. */
const mostOfDetail = 200;

export const fewOf = (words: readonly string[]): string =>
  words.length > mostNamed ? `${words.slice(0, mostNamed).join("; ")}; and ${words.length - mostNamed} more` : words.join("; ");

const cut = (name: string): string => (name.length > 60 ? `${name.slice(0, 59).toWellFormed()}…` : name);
