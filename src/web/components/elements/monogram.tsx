import type { CSSProperties, ReactNode } from "react";
import { pick, tinctureOf } from "./tincture.ts";

type Size = 18 | 20 | 24 | 26 | 28 | 30 | 32 | 44;

/** A worker's sign: a shield with one letter; field division and colour follow from its id. */
export function WorkerMonogram({ id, name, size = 24 }: { id: string; name: string; size?: Size }) {
  const division = pick(divisions, `division ${id}`);
  return (
    <svg
      viewBox="0 0 32 36"
      role="img"
      aria-label={`${name}, worker`}
      style={{ ...field(id), width: size, height: size * 1.125 }}
      className="inline-block flex-none overflow-visible"
    >
      <path className="fill-(--f)" d={shield} />
      <path className="fill-(--f2)" fillRule="evenodd" d={division} />
      <path className="fill-none stroke-(--monogram-edge)" d="M1.5 1.5h29V17c0 8.7-6.2 14.4-14.5 17.4C7.7 31.4 1.5 25.7 1.5 17Z" />
      <text x="16" y="23.5" textAnchor="middle" className="fill-metal font-display text-[19px] font-semibold">
        {name.slice(0, 1).toUpperCase()}
      </text>
    </svg>
  );
}

/** A guild member's sign: a roundel with two letters. */
export function MemberMonogram({ name, size = 24 }: { name: string; size?: Size }) {
  const edge = size * 0.09;
  const shadow = `inset 0 0 0 1px var(--monogram-edge), inset 0 0 0 ${edge}px var(--f), inset 0 0 0 ${edge + 1}px var(--f2)`;
  return (
    <span
      role="img"
      aria-label={`${name}, member`}
      className="inline-grid flex-none place-items-center rounded-full bg-(--f) font-display leading-none font-semibold text-metal"
      style={{ ...field(name), ...box(size), boxShadow: shadow }}
    >
      {name.slice(0, 1).toUpperCase() + name.slice(1, 2).toLowerCase()}
    </span>
  );
}

/** A person's or the model's sign: a square with initials or an icon. */
export function SquareMonogram({ label, size = 26, children }: { label: string; size?: Size; children: ReactNode }) {
  return (
    <span
      role="img"
      aria-label={label}
      className="inline-grid flex-none place-items-center rounded-1 bg-selected leading-none font-semibold text-ink shadow-[inset_0_0_0_1px_var(--line-strong)]"
      style={box(size)}
    >
      {children}
    </span>
  );
}

const box = (size: number): CSSProperties => ({ width: size, height: size, fontSize: size * 0.42 });

/** React knows no custom properties in its style type. */
const field = (id: string) => ({ "--f": tinctureOf(id), "--f2": "color-mix(in oklab, var(--f) 76%, var(--metal))" }) as CSSProperties;

const shield = "M1 1h30v16c0 9-6.5 15-15 18C7.5 32 1 26 1 17Z";

/** Chief, bend, pale, quarterly, fess, chevron, bordure. */
const divisions = [
  "M1 1h30v8H1Z",
  "M1 1h14l15.6 19c-1.2 4.6-3.7 8-7.2 10.5L1 4Z",
  "M16 1h15v16c0 9-6.5 14.5-15 18Z",
  "M1 1h15v17H1ZM16 18h15c-.5 9-7 14-15 17Z",
  "M1 18h30c-.5 9-7 14-15 17C8 32 1.5 27 1 18Z",
  "m16 21 13.5 5.2c-3 4.3-7.6 6.9-13.5 8.8-5.9-1.9-10.5-4.5-13.5-8.8Z",
  "M1 1h30v16c0 9-6.5 15-15 18C7.5 32 1 26 1 17Zm3.2 3.2V17c0 7 5 11.7 11.8 14.5C22.8 28.7 27.8 24 27.8 17V4.2Z",
] as const;
