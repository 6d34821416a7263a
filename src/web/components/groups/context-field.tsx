"use client";

import { useLayoutEffect, useRef, useState } from "react";
import { movedCaret } from "../../context/moved-caret.ts";

type ContextFieldProps = { text: string; onType: (text: string, shown: string) => void; onLeave: () => void };

/** Longer texts are drawn without marks: an element for each line would make typing slow. */
const mostMarkedLines = 2000;

/**
 * Plain text with line numbers. What is seen is drawn below a text field whose own letters are not shown, so that headings
 * stand out and the line of the caret is marked, and the field itself stays an ordinary one.
 */
export function ContextField({ text, onType, onLeave }: ContextFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const typed = useRef(text);
  const [caretLine, setCaretLine] = useState<number | null>(null);
  const lines = text.split("\n");

  useLayoutEffect(() => {
    const before = typed.current;
    typed.current = text;
    const element = field.current;
    if (element === null || before === text) return;
    // Setting the value of a field sends its caret to the end; it belongs where the person writes.
    const [start, end] = [element.selectionStart, element.selectionEnd];
    element.value = text;
    element.setSelectionRange(movedCaret(before, text, start), movedCaret(before, text, end));
  }, [text]);

  const markCaret = () => {
    const { current } = field;
    if (current !== null) setCaretLine(current.value.slice(0, current.selectionStart).split("\n").length - 1);
  };
  return (
    <div className="max-h-[min(46vh,420px)] min-h-[120px] overflow-auto rounded-2 border border-control bg-surface py-2 font-mono text-[12px] leading-[19px] focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus max-column:max-h-[62vh] max-rail:text-[16px] max-rail:leading-6">
      <div className="grid min-h-full w-max min-w-full grid-cols-[auto_minmax(0,1fr)]">
        <pre aria-hidden className="sticky left-0 z-1 min-w-[30px] bg-surface pr-2 pl-1 text-right text-[11px] text-ink-3 select-none">
          {lines.map((_, at) => at + 1).join("\n")}
        </pre>
        <div className="relative pr-2">
          <pre aria-hidden className="min-h-full text-[length:inherit]">
            {lines.length > mostMarkedLines
              ? `${text}\n`
              : lines.map((line, at) => <MarkedLine key={at} line={line} isCaret={at === caretLine} />)}
          </pre>
          <textarea
            ref={field}
            aria-label="context.md"
            wrap="off"
            spellCheck={false}
            autoCapitalize="off"
            defaultValue={text}
            onChange={(event) => {
              const shown = typed.current;
              typed.current = event.target.value;
              onType(typed.current, shown);
              markCaret();
            }}
            onSelect={markCaret}
            onBlur={() => {
              setCaretLine(null);
              onLeave();
            }}
            className="absolute inset-0 block size-full resize-none overflow-hidden bg-transparent whitespace-pre text-transparent caret-ink outline-0 [tab-size:8]"
          />
        </div>
      </div>
    </div>
  );
}

const MarkedLine = ({ line, isCaret }: { line: string; isCaret: boolean }) => (
  <span className={`block min-w-full ${isCaret ? "bg-brass-wash" : ""} ${/^#{1,6}\s/.test(line) ? "font-semibold text-ink" : ""}`}>
    {line === "" ? "\u200b" : line}
  </span>
);
