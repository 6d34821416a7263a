import { z } from "zod";
import type { ToolResult } from "../../core/agent/agent-run.ts";
import { ToolContent } from "../../schema/tool.ts";
import { isTooDeep, tooDeep } from "./nesting.ts";

/** What a member answers to a call, before anybody has looked closely: the SDK's own schema refuses a whole answer for one unknown piece. */
export const CallAnswer = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
type CallAnswer = z.infer<typeof CallAnswer>;

const mostPieces = 10_000;

export function toolResultOf(answer: CallAnswer): ToolResult {
  if (isTooDeep(answer)) throw new Error(tooDeep);
  const { content = [], structuredContent, isError } = answer;
  const pieces = content.slice(0, mostPieces).map(pieceOf);
  const left = content.length - pieces.length;
  return {
    content: left === 0 ? pieces : [...pieces, { type: "text", text: `… and ${left} more pieces, which the hall does not take.` }],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
  };
}

/** A kind of content we do not know is shown as it came. */
function pieceOf(piece: unknown): ToolContent {
  const known = ToolContent.safeParse(piece);
  return known.success ? known.data : { type: "text", text: JSON.stringify(piece, null, 2) ?? "" };
}
