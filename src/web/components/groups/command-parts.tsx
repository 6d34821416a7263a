import { visibleText } from "../../format/visible-text.ts";

/** A command, one argument to a line, so that nobody has to guess where one ends. What cannot be seen is shown as a sign. */
export const CommandParts = ({ parts }: { parts: readonly string[] }) => (
  <ol aria-label="Program and arguments" className="grid grid-cols-[minmax(0,1fr)] gap-1">
    {parts.map((part, at) => (
      <li key={`${at} ${part}`} className="flex min-w-0 items-baseline gap-2">
        <span className="w-14 flex-none text-2xs text-ink-3 tabular-nums">{at === 0 ? "program" : `arg ${at}`}</span>
        <code className="min-w-0 rounded-1 bg-sunken px-1.5 py-px whitespace-pre-wrap [overflow-wrap:anywhere]">
          {part === "" ? <span className="text-ink-3">(empty)</span> : visibleText(part).replaceAll("\n", "[U+000A]")}
        </code>
      </li>
    ))}
  </ol>
);
