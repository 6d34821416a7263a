export type SegmentOption<Value extends string> = {
  value: Value;
  label: string;
  count?: number;
  /** What is counted, where that is not what the choice shows. */
  counts?: string;
};

type SegmentProps<Value extends string> = {
  label: string;
  options: readonly SegmentOption<Value>[];
  value: Value;
  onChange?: (value: Value) => void;
};

/** A choice of one among a few that are all in sight. */
export function Segment<Value extends string>({ label, options, value, onChange }: SegmentProps<Value>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-2 bg-sunken p-0.5 [scrollbar-width:none]"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          {...(onChange === undefined ? {} : { onClick: () => onChange(option.value) })}
          className="inline-flex h-6 items-center gap-1.5 rounded-1 px-[9px] text-xs leading-none font-medium whitespace-nowrap text-ink-2 focus-visible:-outline-offset-2 aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--line)] max-rail:h-11"
        >
          {option.label}
          {option.count === undefined ? null : (
            <span title={option.counts} className="font-normal text-ink-3 tabular-nums">
              {option.count}
              {option.counts === undefined ? null : <span className="sr-only"> {option.counts}</span>}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
