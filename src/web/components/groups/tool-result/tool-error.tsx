import type { ToolContent } from "../../../../schema/tool.ts";
import { Banner } from "../../elements/banner.tsx";
import { ContentPieces } from "./content-pieces.tsx";
import { LongText } from "./long-text.tsx";

const longestMessage = 300;

/** A tool says that it failed. What it says first is the message; the rest is folded away. */
export function ToolError({ content }: { content: readonly ToolContent[] }) {
  const [first, ...others] = content;
  const text = first?.type === "text" ? first.text.trim() : "";
  const [, message = text.slice(0, longestMessage)] = /^([^\n]{1,300})(?:\n|$)/.exec(text) ?? [];
  const details = text.slice(message.length).trim();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Banner title={message === "" ? "The tool failed and did not say why." : message} />
      {details === "" ? null : (
        <details>
          <summary className="min-h-6 rounded-1 text-xs text-ink-2 max-rail:min-h-11">All it said</summary>
          <LongText label="All it said" text={text} fileName="error.txt" />
        </details>
      )}
      <ContentPieces content={first?.type === "text" ? others : content} fileName="error" />
    </div>
  );
}
