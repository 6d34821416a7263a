import type { ComponentProps, ReactNode } from "react";

/** Something that is on or off at once, without a form to send. */
export function Switch({ children, ...rest }: Omit<ComponentProps<"input">, "type" | "className"> & { children: ReactNode }) {
  return (
    <label className="flex items-start gap-2.5 py-[5px] max-rail:min-h-11 max-rail:py-2.5">
      <input
        {...rest}
        type="checkbox"
        className="mt-px flex h-4.5 w-[30px] flex-none appearance-none items-center rounded-full border border-control bg-surface px-0.5 after:size-3 after:rounded-full after:bg-control checked:justify-end checked:border-ink checked:bg-ink checked:after:bg-on-ink disabled:border-dashed"
      />
      <span>{children}</span>
    </label>
  );
}
