import type { ToolResult } from "../../core/agent/agent-run.ts";
import { boundText, maxResultCharacters } from "../../core/agent/bound-text.ts";
import type { ToolContent } from "../../schema/tool.ts";

const maxBinaryCharacters = 8_000_000;

/** Keeps a tool's result to what a conversation can carry, and says what was left out. */
export function boundResult(result: ToolResult): ToolResult {
  let room = maxResultCharacters;
  const content = result.content.map((one) => {
    const bounded = boundContent(one, room);
    room -= bounded.type === "text" ? Math.min(bounded.text.length, room) : 0;
    return bounded;
  });
  const { structuredContent, ...rest } = result;
  // The model is shown the structured form instead of the text, so one that is too large must give way to the text.
  const fits = structuredContent !== undefined && JSON.stringify(structuredContent).length <= maxResultCharacters;
  return { ...rest, content, ...(fits ? { structuredContent } : {}) };
}

function boundContent(content: ToolContent, room: number): ToolContent {
  switch (content.type) {
    case "text":
      return { type: "text", text: boundText(content.text, room) };
    case "image":
    case "audio":
      return content.data.length <= maxBinaryCharacters ? content : leftOut(content.type, content.data.length);
    case "resource": {
      const { text, blob } = content.resource;
      if (blob !== undefined && blob.length > maxBinaryCharacters) return leftOut("resource", blob.length);
      return text === undefined ? content : { type: "resource", resource: { ...content.resource, text: boundText(text, room) } };
    }
    case "resource_link":
      return content;
  }
}

const leftOut = (kind: string, length: number): ToolContent => ({
  type: "text",
  text: `[The ${kind} was left out: it has ${length} characters, and at most ${maxBinaryCharacters} are passed on.]`,
});
