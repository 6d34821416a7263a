import { CopyButton } from "../elements/copy-button.tsx";
import { OpenToolLink } from "./open-tool-link.tsx";
import type { ToolCall } from "./tool-call.ts";
import { LongText } from "./tool-result/long-text.tsx";

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
  const asked = asJson(input);
  const came = answer ?? asJson(result?.content);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 pr-2.5 pb-2.5 pl-[29px] text-xs text-ink-3">
      <span className="flex items-center gap-2">
        Arguments
        {member === null ? null : <OpenToolLink member={member} tool={tool} />}
      </span>
      <LongText label={`Arguments of ${tool}`} text={asked} json={input} fileName={`${tool}-arguments.json`} />
      {result === null ? null : (
        <>
          <span className="flex items-center justify-between">
            {result.isError ? "Error" : "Result"}
            <CopyButton isBare text={came}>
              Copy result
            </CopyButton>
          </span>
          <LongText
            label={`Result of ${tool}`}
            text={came}
            fileName={answer === null ? `${tool}-result.json` : `${tool}-result.txt`}
            {...(answer === null ? { json: result.content } : {})}
          />
        </>
      )}
    </div>
  );
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";
