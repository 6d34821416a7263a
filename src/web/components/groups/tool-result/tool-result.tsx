"use client";

import { Download } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import type { ReactNode } from "react";
import type { ToolAnswer } from "../../../../schema/tool.ts";
import { sizeOf } from "../../../../schema/size.ts";
import { answerParts } from "../../../tool-form/answer-views.ts";
import type { AnswerParts, AnswerView } from "../../../tool-form/answer-views.ts";
import { writeJson } from "../../../tool-form/json-text.ts";
import { Button } from "../../elements/button.tsx";
import { CopyButton } from "../../elements/copy-button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Segment } from "../../elements/segment.tsx";
import { AnswerTables } from "./answer-tables.tsx";
import { ContentPieces } from "./content-pieces.tsx";
import { downloadText } from "../../../live/download.ts";
import { LongText } from "./long-text.tsx";
import { ToolError } from "./tool-error.tsx";

type ToolResultProps = {
  answer: ToolAnswer;
  fileName: string;
  /** What stands beside the choice of views. */
  head: ReactNode;
};

/** What a tool answered, in each way one can look at it. All of it is somebody else's. */
export function ToolResult({ answer, fileName, head }: ToolResultProps) {
  const parts = useMemo(() => answerParts(answer), [answer]);
  const [chosen, setChosen] = useState<AnswerView | null>(null);
  const view = chosen ?? parts.views[0] ?? "raw";
  const isEmpty = answer.content.length === 0 && answer.structuredContent === undefined;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {head}
        {isEmpty ? null : (
          <span className="ml-auto max-w-full">
            <Segment
              label="Show result as"
              value={view}
              options={parts.views.map((value) => ({ value, label: wordOf(value, answer) }))}
              onChange={setChosen}
            />
          </span>
        )}
      </div>
      {isEmpty ? (
        <p className="text-ink-2">
          {answer.isError ? "The tool failed and did not say why." : "The tool answered with nothing, and said that all went well."}
        </p>
      ) : (
        <>
          <ViewOf view={view} parts={parts} answer={answer} fileName={fileName} />
          <ResultActions answer={answer} data={parts.data} fileName={fileName} />
        </>
      )}
    </>
  );
}

const ResultActions = ({ answer, data, fileName }: { answer: ToolAnswer; data: unknown; fileName: string }) => (
  <div className="flex flex-wrap gap-2">
    <CopyButton text={() => writeJson(data ?? answer)}>Copy as JSON</CopyButton>
    <Button
      size="sm"
      icon={<Icon of={Download} className="size-[15px]" />}
      onClick={() => downloadText(writeJson(answer), `${fileName}.json`)}
    >
      Download
    </Button>
  </div>
);

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
      return (
        <Suspense fallback={<p className="text-ink-3">Loading the Markdown view…</p>}>
          <Markdown text={parts.text.slice(0, mostMarkdown)} />
        </Suspense>
      );
    case "raw":
      return <LongText label="The answer as it came" text={writeJson(answer)} json={answer} fileName={`${fileName}.json`} />;
  }
}

/** Most answers are never looked at as Markdown, and what draws it is larger than all the rest here. */
const Markdown = lazy(async () => ({ default: (await import("../markdown.tsx")).Markdown }));

/** Markdown is drawn as elements, and more of them than this would make the page slow. */
const mostMarkdown = 50_000;

function wordOf(view: AnswerView, { content }: ToolAnswer): string {
  if (view !== "content") return words[view];
  return content.every(({ type }) => type === "text") ? "Text" : "Content";
}

const words: Record<Exclude<AnswerView, "content">, string> = { table: "Table", json: "JSON", markdown: "Markdown", raw: "Raw" };

/** How large an answer is, as it came over the wire. */
export const answerSize = (answer: ToolAnswer): string => sizeOf(new TextEncoder().encode(JSON.stringify(answer)).length);
