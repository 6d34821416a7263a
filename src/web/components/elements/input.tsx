import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";

type Invalid = { invalid?: boolean };

export const Input = ({ invalid = false, className, ...rest }: ComponentProps<"input"> & Invalid) => (
  <input {...rest} aria-invalid={invalid || undefined} className={classNames(look, invalid && bad, className)} />
);

export const TextArea = ({ invalid = false, className, ...rest }: ComponentProps<"textarea"> & Invalid) => (
  <textarea {...rest} aria-invalid={invalid || undefined} className={classNames(look, "block resize-y", invalid && bad, className)} />
);

export const Select = ({ invalid = false, className, ...rest }: ComponentProps<"select"> & Invalid) => (
  <select {...rest} aria-invalid={invalid || undefined} className={classNames(look, invalid && bad, className)} />
);

/** 16 px on small screens: a smaller one makes phones zoom in. */
const look =
  "w-full min-h-(--h-lg) rounded-2 border border-control bg-raised px-2.5 py-1.5 text-sm text-ink placeholder:text-ink-3 max-rail:text-[16px] focus:outline-2 focus:-outline-offset-1 focus:outline-focus disabled:border-dashed";
const bad = "border-err shadow-[0_0_0_1px_var(--err)]";
