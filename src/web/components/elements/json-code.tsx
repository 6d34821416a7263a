import { codeClass } from "./code.tsx";

/** A value as JSON with its keys, texts and figures told apart. */
export function JsonCode({ label, value, className = "" }: { label: string; value: unknown; className?: string }) {
  const text = JSON.stringify(value, null, 2) ?? "undefined";
  return (
    <pre tabIndex={0} role="region" aria-label={label} className={`${codeClass} ${className}`}>
      {tokensOf(text).map(({ at, kind, text: part }) =>
        kind === null ? (
          part
        ) : (
          <span key={at} className={tones[kind]}>
            {part}
          </span>
        ),
      )}
    </pre>
  );
}

type Kind = "key" | "text" | "figure";
type Token = { at: number; kind: Kind | null; text: string };

const tones: Record<Kind, string> = { key: "text-syn-key", text: "text-syn-str", figure: "text-syn-num" };

/** Beyond this size colour is not worth its elements. */
const mostColoured = 20_000;

function tokensOf(json: string): Token[] {
  if (json.length > mostColoured) return [{ at: 0, kind: null, text: json }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of json.matchAll(/"(?:[^"\\]|\\.)*"(?=\s*:)|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g)) {
    if (match.index > end) tokens.push({ at: end, kind: null, text: json.slice(end, match.index) });
    end = match.index + match[0].length;
    const isText = match[0].startsWith('"');
    tokens.push({ at: match.index, kind: !isText ? "figure" : /^\s*:/.test(json.slice(end, end + 8)) ? "key" : "text", text: match[0] });
  }
  if (end < json.length) tokens.push({ at: end, kind: null, text: json.slice(end) });
  return tokens;
}
