import { Download } from "lucide-react";
import { sizeOf } from "../../../../schema/size.ts";
import { Button } from "../../elements/button.tsx";
import { Code } from "../../elements/code.tsx";
import { Icon } from "../../elements/icon.tsx";
import { JsonCode } from "../../elements/json-code.tsx";
import { downloadText } from "../../../live/download.ts";

const mostShown = 100_000;

type LongTextProps = {
  label: string;
  text: string;
  /** The value behind the text, where it is JSON: it is told apart by colour then. */
  json?: unknown;
  fileName: string;
};

/** A text as it is. Of one that is too long for a page the beginning is shown, and all of it can be had as a file. */
export function LongText({ label, text, json, fileName }: LongTextProps) {
  const look = "max-h-[60vh] border border-line";
  if (text.length <= mostShown)
    return json === undefined ? (
      <Code label={label} className={`${look} whitespace-pre-wrap! [overflow-wrap:anywhere]`}>
        {text}
      </Code>
    ) : (
      <JsonCode label={label} value={json} className={look} />
    );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Code label={label} className={look}>
        {text.slice(0, mostShown)}
      </Code>
      <p className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
        This is the first {sizeOf(mostShown)} of {sizeOf(text.length)}.
        <Button size="sm" icon={<Icon of={Download} className="size-[15px]" />} onClick={() => downloadText(text, fileName)}>
          Download all of it
        </Button>
      </p>
    </div>
  );
}
