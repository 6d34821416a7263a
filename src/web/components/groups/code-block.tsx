import { memo } from "react";
import { Code } from "../elements/code.tsx";
import { CopyButton } from "../elements/copy-button.tsx";

/** Code in a conversation: what it is written in, and a way to take it along. */
export const CodeBlock = memo(function CodeBlock({ language, text }: { language: string; text: string }) {
  return (
    <div className="my-2 rounded-2 bg-sunken">
      <div className="flex items-center justify-between gap-2 pr-1 pl-3 text-xs text-ink-3">
        <span className="truncate font-mono">{language === "" ? "text" : language}</span>
        <CopyButton isBare text={text}>
          Copy code
        </CopyButton>
      </div>
      <Code label="Code" className="max-h-[70vh] pt-0">
        {text}
      </Code>
    </div>
  );
});
