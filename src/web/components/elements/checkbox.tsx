import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../class-names.ts";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "className"> & {
  /** What it stands for cannot be had now. It looks like it, and can still be ticked. */
  isUnavailable?: boolean;
  children: ReactNode;
};

/** A choice that can be ticked. Unavailable ones are dashed and say why beside the name. */
export function Checkbox({ isUnavailable = false, children, ...rest }: CheckboxProps) {
  return (
    <label
      className={classNames(
        "flex min-w-0 items-center gap-[9px] rounded-2 border border-line bg-surface px-2.5 py-2 has-checked:border-control has-checked:bg-raised has-disabled:border-dashed has-disabled:text-ink-3 max-rail:min-h-11",
        isUnavailable && "border-dashed text-ink-3",
      )}
    >
      <input
        {...rest}
        type="checkbox"
        className="grid size-4 flex-none appearance-none place-items-center rounded-1 border border-control bg-surface checked:border-ink checked:bg-ink checked:after:h-1 checked:after:w-2 checked:after:-translate-y-px checked:after:-rotate-45 checked:after:border-b-[1.75px] checked:after:border-l-[1.75px] checked:after:border-on-ink disabled:border-dashed"
      />
      {children}
    </label>
  );
}
