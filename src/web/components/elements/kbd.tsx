import { classNames } from "../class-names.ts";

/** What a key lies on: the page, a filled button, or a button without an edge. */
export type KbdTone = "page" | "fill" | "bare";

/** A key, as it is written on the keyboard. */
export function Kbd({ children, tone = "page", className }: { children: string; tone?: KbdTone; className?: string }) {
  const shape = "min-w-4.5 rounded-1 border px-[5px] py-[3px] text-center font-ui text-2xs leading-none font-medium whitespace-nowrap";
  return <kbd className={classNames(shape, tones[tone], className)}>{children}</kbd>;
}

const tones: Record<KbdTone, string> = {
  page: "border-line-strong bg-paper text-ink-2",
  fill: "border-current/45 bg-transparent text-inherit",
  bare: "border-line-strong bg-transparent text-ink-2",
};
