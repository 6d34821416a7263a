"use client";

import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import type { ToolAnswer } from "../../../../schema/tool.ts";
import { sizeOf } from "../../../format/size.ts";
import { answerParts } from "../../../tool-form/answer-views.ts";
import type { AnswerParts, AnswerView } from "../../../tool-form/answer-views.ts";
import { writeJson } from "../../../tool-form/json-text.ts";
import { Button } from "../../elements/button.tsx";
import { CopyButton } from "../../elements/copy-button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Segment } from "../../elements/segment.tsx";
import { Markdown } from "../markdown.tsx";
import { AnswerTables } from "./answer-tables.tsx";
import { ContentPieces } from "./content-pieces.tsx";
import { downloadText } from "./download.ts";
import { LongText } from "./long-text.tsx";
import { ToolError } from "./tool-error.tsx";

/** What a tool answered, in each way one can look at it. All of it is somebody else's. */
export function ToolResult({ answer, fileName }: { answer: ToolAnswer; fileName: string }) {
  const parts = useMemo(() => answerParts(answer), [answer]);
  const [chosen, setChosen] = useState<AnswerView | null>(null);
  const view = chosen ?? parts.views[0] ?? "raw";
  if (answer.content.length === 0 && answer.structuredContent === undefined)
    return <p className="text-ink-2">The tool answered with nothing, and said that all went well.</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {parts.views.length > 1 ? (
        <div className="flex justify-end">
          <Segment
            label="Show result as"
            value={view}
            options={parts.views.map((value) => ({ value, label: wordOf(value, answer) }))}
            onChange={setChosen}
          />
        </div>
      ) : null}
      <ViewOf view={view} parts={parts} answer={answer} fileName={fileName} />
      <div className="flex flex-wrap gap-2">
        <CopyButton text={() => writeJson(answer.structuredContent ?? parts.data ?? answer)}>Copy as JSON</CopyButton>
        <Button
          size="sm"
          icon={<Icon of={Download} className="size-[15px]" />}
          onClick={() => downloadText(writeJson(answer), `${fileName}.json`)}
        >
          Download
        </Button>
      </div>
    </div>
  );
}

type ViewProps = { view: AnswerView; parts: AnswerParts; answer: ToolAnswer; fileName: string };

function ViewOf({ view, parts, answer, fileName }: ViewProps) {
  switch (view) {
    case "table":
      return <AnswerTables tables={parts.tables} data={parts.data} fileName={fileName} />;
    case "json":
      return <LongText label="Result as JSON" text={writeJson(parts.data)} json={parts.data} fileName={`${fileName}.json`} />;
    case "content":
      return answer.isError ? <ToolError content={answer.content} /> : <ContentPieces content={answer.content} fileName={fileName} />;
    case "markdown":
      return <Markdown text={parts.text.slice(0, mostMarkdown)} />;
    case "raw":
      return <LongText label="The answer as it came" text={writeJson(answer)} json={answer} fileName={`${fileName}.json`} />;
  }
}

/** Markdown is drawn as elements, and more of them than this would make the page slow. */
const mostMarkdown = 50_000;

function wordOf(view: AnswerView, { content }: ToolAnswer): string {
  if (view !== "content") return words[view];
  return content.every(({ type }) => type === "text") ? "Text" : "Content";
}

const words: Record<Exclude<AnswerView, "content">, string> = { table: "Table", json: "JSON", markdown: "Markdown", raw: "Raw" };

/** How large an answer is, as it came over the wire. */
export const answerSize = (answer: ToolAnswer): string => sizeOf(JSON.stringify(answer).length);
