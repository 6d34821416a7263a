import { TriangleAlert } from "lucide-react";
import { Icon } from "./icon.tsx";

type MeterProps = {
  label: string;
  value: number;
  max: number;
  /** The figure with its limit, as in "31 of 60". */
  text: string;
  /** In a row of a list, whose column says what it measures. */
  compact?: boolean;
};

/** How much of a limit is used: words first, the bar second. The tick is at 80%. */
export function Meter({ label, value, max, text, compact = false }: MeterProps) {
  const share = Math.min(1, value / max);
  const { tone, fill, warning } = value > max ? looks.over : share >= 0.8 ? looks.near : looks.normal;
  return (
    <div className={`grid text-xs text-ink-2 ${compact ? "gap-[3px]" : "gap-[5px]"}`}>
      <div className="flex items-center justify-between gap-2">
        <span className={compact ? "sr-only" : ""}>{label}</span>
        <span
          className={`inline-flex items-center gap-1 tabular-nums ${compact && warning === null ? "" : tone} ${compact ? "" : "font-medium"}`}
        >
          {warning === null ? null : <Icon of={TriangleAlert} className="size-3" />}
          {text}
          {warning === null ? null : <span className="sr-only">, {warning}</span>}
        </span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={Math.min(value, max)}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuetext={text}
        className={bar}
      >
        <span className={`block h-full rounded-[2px] ${fill}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

const bar =
  "relative h-1 overflow-hidden rounded-[2px] bg-sunken shadow-[inset_0_0_0_1px_var(--line)] after:absolute after:inset-y-0 after:left-[80%] after:w-px after:bg-control";

const looks = {
  normal: { tone: "text-ink", fill: "bg-ink-2", warning: null },
  near: { tone: "text-warn", fill: "bg-warn", warning: "near the limit" },
  over: { tone: "text-err", fill: "bg-err", warning: "over the limit" },
};
