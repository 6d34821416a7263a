import { z } from "zod";
import type { ToolResult } from "../../core/agent/agent-run.ts";
import { ToolContent } from "../../schema/tool.ts";
import { isTooDeep, tooDeep } from "./nesting.ts";
import { withoutNulls } from "../../core/without-nulls.ts";

/**
 * What a member answers to a call, before anybody has looked closely: the SDK's own schema refuses a whole answer for one
 * unknown piece. Many languages write null for what is not there.
 */
export const CallAnswer = z.looseObject({
  content: z.unknown().optional(),
  structuredContent: z.unknown().optional(),
  isError: z.unknown().optional(),
});
type CallAnswer = z.infer<typeof CallAnswer>;

const mostPieces = 10_000;

export function toolResultOf(answer: CallAnswer): ToolResult {
  if (isTooDeep(answer)) throw new Error(tooDeep);
  const { structuredContent, isError } = answer;
  const data = Data.safeParse(structuredContent);
  // What is no object has no place among the data of an answer, but may be all there is to know.
  const unplaced = data.success || isNothing(structuredContent) ? [] : [structuredContent];
  const content = [...listOf(answer.content), ...unplaced];
  const pieces = content.slice(0, mostPieces).map(pieceOf);
  const left = content.length - pieces.length;
  return {
    content: left === 0 ? pieces : [...pieces, { type: "text", text: `… and ${left} more pieces, which the hall does not take.` }],
    ...(data.success ? { structuredContent: data.data } : {}),
    ...(isNothing(isError) ? {} : { isError: Boolean(isError) }),
  };
}

const Data = z.record(z.string(), z.unknown());

const isNothing = (value: unknown): value is null | undefined => value === undefined || value === null;

const listOf = (content: unknown): unknown[] => (Array.isArray(content) ? content : isNothing(content) ? [] : [content]);

/** A kind of content we do not know is shown as it came. */
function pieceOf(piece: unknown): ToolContent {
  if (typeof piece === "string") return { type: "text", text: piece };
  const known = ToolContent.safeParse(withoutNulls(piece));
  return known.success ? known.data : { type: "text", text: JSON.stringify(piece, null, 2) ?? "" };
}
