"use client";

import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { Issue } from "../../../tool-form/issue.ts";
import { wordsOf } from "../../../tool-form/json.ts";
import { readJson, spanOf, writeJson } from "../../../tool-form/json-text.ts";
import { Button } from "../../elements/button.tsx";
import { Glyph } from "../../elements/glyph.tsx";
import { TextArea } from "../../elements/input.tsx";

type JsonEditorProps = {
  id: string;
  text: string;
  /** What is wrong with the text as a whole. */
  problem: string | null;
  issues: readonly Issue[];
  onText: (text: string) => void;
};

const mostListed = 20;

/** The whole input as JSON. Tab indents; Escape sets Tab free, so that the keyboard gets out again. */
export function JsonEditor({ id, text, problem, issues, onText }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [isTabFree, setIsTabFree] = useState(false);
  const syntax = readJson(text).problem;

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape") return setIsTabFree(true);
    if (event.key !== "Tab" || event.shiftKey || isTabFree) return;
    event.preventDefault();
    // The one way to change a text that the browser's own undo knows of.
    document.execCommand("insertText", false, "  ");
  };
  const goTo = ({ from, to }: { from: number; to: number }) => {
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <TextArea
        ref={area}
        id={id}
        aria-label="Input as JSON"
        aria-describedby={`${id}-keys ${id}-problem`}
        invalid={problem !== null || issues.length > 0}
        rows={12}
        spellCheck={false}
        wrap="off"
        value={text}
        className="field-sizing-content max-h-[60vh] min-h-60 font-mono text-(length:--code) leading-[19px] [tab-size:2]"
        onKeyDown={onKeyDown}
        onBlur={() => setIsTabFree(false)}
        onChange={(event) => onText(event.target.value)}
      />
      <div className="flex items-start gap-2">
        <p id={`${id}-keys`} className="flex-1 text-xs text-ink-3">
          {isTabFree ? "Tab leaves the editor now." : "Tab indents. Press Escape first, and Tab leaves the editor."}
        </p>
        <Button
          size="sm"
          {...(syntax === null ? {} : { disabledBecause: "Only JSON that can be read can be formatted." })}
          onClick={() => onText(formatted(text))}
        >
          Format
        </Button>
      </div>
      <div id={`${id}-problem`} className="grid gap-1 text-xs text-err empty:hidden">
        {problem === null ? null : (
          <p className="flex items-center gap-1.5">
            <Glyph of="failed" />
            <span className="flex-1">{problem}</span>
            {syntax === null ? null : (
              <Button size="sm" variant="ghost" onClick={() => goTo({ from: syntax.offset, to: Math.min(syntax.offset + 1, text.length) })}>
                Go there
              </Button>
            )}
          </p>
        )}
        {issues.length === 0 ? null : (
          <ul aria-label="To fix">
            {issues.slice(0, mostListed).map((issue) => (
              <li key={`${wordsOf(issue.path)} ${issue.message}`}>
                <button
                  type="button"
                  onClick={() => goTo(spanOf(text, issue.path))}
                  className="flex min-h-6 w-full items-center gap-1.5 rounded-1 text-left hover:bg-hover max-rail:min-h-11"
                >
                  <Glyph of="failed" />
                  <span className="[overflow-wrap:anywhere]">
                    {issue.path.length === 0 ? null : <code className="mr-0.5">{wordsOf(issue.path).slice(0, 200)}</code>} {issue.message}
                  </span>
                </button>
              </li>
            ))}
            {issues.length > mostListed ? <li>and {issues.length - mostListed} more.</li> : null}
          </ul>
        )}
      </div>
    </div>
  );
}

function formatted(text: string): string {
  const read = readJson(text);
  return read.problem === null ? writeJson(read.value) : text;
}
