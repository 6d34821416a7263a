import { Stack } from "./arrange.tsx";

export const TypeSamples = () => (
  <Stack>
    <p className="font-display text-3xl font-medium">First run only, Newsreader 36</p>
    <p className="font-display text-2xl font-medium">Page heading, Newsreader 26</p>
    <p className="font-display text-xl font-medium">Dialog heading, Newsreader 20</p>
    <p className="font-display text-panel font-medium">Panel heading, Newsreader 17</p>
    <p className="text-md">Reading text, Geist 14 on 22. Three of five readers were moved to the watermark.</p>
    <p>Interface text, Geist 13 on 20</p>
    <p className="text-xs text-ink-2 tabular-nums">Metadata, Geist 12 on 16. 38 messages, $1.12</p>
    <p className="font-mono text-(length:--code)">Code and paths, Geist Mono 12.5. src/sync/queue.ts:118</p>
  </Stack>
);

const families = [
  ["sunken", "rail", "paper", "surface", "raised", "hover", "selected", "line", "line-strong", "control"],
  ["ink", "ink-2", "ink-3", "brass", "brass-fill", "brass-line", "brass-wash", "focus"],
  ["run", "ok", "err", "warn", "run-wash", "ok-wash", "err-wash", "warn-wash"],
  ["t-madder", "t-azure", "t-vert", "t-plum", "t-sable", "t-tenne", "t-teal", "t-olive"],
];

export const ColourSamples = () => (
  <Stack>
    {families.map((names) => (
      <ul key={names[0]} className="grid grid-cols-[repeat(auto-fill,minmax(104px,1fr))] gap-2">
        {names.map((name) => (
          <li key={name} className="overflow-hidden rounded-2 border border-line bg-surface font-mono text-[11.5px] leading-4">
            <span className="block h-[34px] border-b border-line" style={{ background: `var(--${name})` }} />
            <span className="block px-2 py-1">{name}</span>
          </li>
        ))}
      </ul>
    ))}
  </Stack>
);
