import { CopyButton } from "../elements/copy-button.tsx";
import { OpenToolLink } from "./open-tool-link.tsx";
import { textOfPieces } from "./tool-call.ts";
import type { ToolCall } from "./tool-call.ts";
import { ContentPieces } from "./tool-result/content-pieces.tsx";
import { LongText } from "./tool-result/long-text.tsx";
import { resultPieces } from "./tool-result/result-pieces.ts";

type ToolRowBodyProps = {
  call: ToolCall;
  member: string | null;
  tool: string;
  /** What came back, where it is text. */
  answer: string | null;
};

/** What a tool was asked and what it answered. Of a long answer there is the beginning, and all of it as a file or a copy. */
export function ToolRowBody({ call, member, tool, answer }: ToolRowBodyProps) {
  const { input, result } = call;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 pr-2.5 pb-2.5 pl-[29px] text-xs text-ink-3">
      <span className="flex items-center gap-2">
        Arguments
        {member === null ? null : <OpenToolLink member={member} tool={tool} />}
      </span>
      <LongText label={`Arguments of ${tool}`} text={asJson(input)} json={input} fileName={`${tool}-arguments.json`} />
      {result === null ? null : <ResultOf tool={tool} result={result} answer={answer} />}
    </div>
  );
}

type ResultOfProps = { tool: string; result: NonNullable<ToolCall["result"]>; answer: string | null };

function ResultOf({ tool, result: { content, isError }, answer }: ResultOfProps) {
  const pieces = answer === null ? resultPieces(content) : null;
  // A picture is taken along as a file, and its letters are of no use to anybody.
  const copied = answer ?? (pieces === null ? asJson(content) : textOfPieces(pieces));
  return (
    <>
      <span className="flex items-center justify-between">
        {isError ? "Error" : "Result"}
        {copied === "" ? null : (
          <CopyButton isBare text={copied}>
            Copy result
          </CopyButton>
        )}
      </span>
      {pieces === null ? (
        <LongText
          label={`Result of ${tool}`}
          text={answer ?? asJson(content)}
          fileName={answer === null ? `${tool}-result.json` : `${tool}-result.txt`}
          {...(answer === null ? { json: content } : {})}
        />
      ) : (
        <ContentPieces content={pieces} fileName={`${tool}-result`} />
      )}
    </>
  );
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";
