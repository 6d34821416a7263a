import { diffLines } from "diff";
import { codeClass } from "./code.tsx";

type DiffProps = { label: string; before: string; after: string };

/** Past this many edits the two texts have nothing to do with each other, and comparing them further only takes time. */
const mostEdits = 2000;

/** Two texts in one, line by line: what went, what came, and all that stayed. */
export function Diff({ label, before, after }: DiffProps) {
  const parts = diffLines(before, after, { maxEditLength: mostEdits }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines = parts.flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => ({ text, kind: kindOf(added, removed) })),
  );
  return (
    <pre tabIndex={0} role="region" aria-label={label} className={`${codeClass} max-h-[420px]`}>
      {lines.map(({ text, kind }, at) => (
        <span key={`${at} ${text}`} className={`-mx-3 block min-w-max px-3 ${looks[kind].className}`}>
          <span aria-hidden className="mr-2 inline-block w-2 text-ink-3 select-none">
            {looks[kind].sign}
          </span>
          <span className="sr-only">{looks[kind].says}</span>
          {text}
        </span>
      ))}
    </pre>
  );
}

type Kind = "came" | "went" | "stayed";

const kindOf = (added: boolean, removed: boolean): Kind => {
  if (added) return "came";
  return removed ? "went" : "stayed";
};

const looks: Record<Kind, { sign: string; says: string; className: string }> = {
  came: { sign: "+", says: "new: ", className: "bg-(--diff-add)" },
  went: { sign: "−", says: "gone: ", className: "bg-(--diff-del)" },
  stayed: { sign: " ", says: "", className: "" },
};
