import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Icon } from "./icon.tsx";
import { Kbd } from "./kbd.tsx";
import type { KbdTone } from "./kbd.tsx";

export type ButtonVariant = "default" | "primary" | "brass" | "ghost" | "danger" | "confirm";
export type ButtonSize = "md" | "sm" | "icon";

export type ButtonProps = Omit<ComponentProps<"button">, "disabled"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** The key that does the same. */
  hotkey?: string;
  busy?: boolean;
  /** Why it cannot be pressed now. A button is never disabled without saying so. */
  disabledBecause?: string | undefined;
};

export function Button({
  variant = "default",
  size = "md",
  icon,
  hotkey,
  busy = false,
  disabledBecause,
  children,
  className,
  ...rest
}: ButtonProps) {
  const isDisabled = disabledBecause !== undefined;
  return (
    <button
      type="button"
      {...rest}
      {...(busy || isDisabled ? { "aria-disabled": true, onClick: undefined } : {})}
      {...(busy ? { "aria-busy": true } : {})}
      {...(isDisabled ? { title: disabledBecause, type: "button" } : {})}
      className={buttonClass(isDisabled ? "disabled" : variant, size, className)}
    >
      {busy ? <Icon of={LoaderCircle} className="size-[15px] turning" /> : icon}
      {children}
      {hotkey === undefined ? null : (
        <Kbd tone={keyTones[isDisabled ? "disabled" : variant]} className="-mr-1 ml-0.5 max-rail:hidden">
          {hotkey}
        </Kbd>
      )}
    </button>
  );
}

/** The look of a button, for links that act as one. */
export function buttonClass(variant: ButtonVariant | "disabled" = "default", size: ButtonSize = "md", more?: string): string {
  const shape =
    "inline-flex flex-none items-center justify-center gap-1.5 rounded-2 border font-ui font-medium whitespace-nowrap transition-colors duration-(--t-fast) ease-house";
  return classNames(shape, sizes[size], size === "icon" && variant === "default" ? looks.ghost : looks[variant], more);
}

const sizes: Record<ButtonSize, string> = {
  md: "h-(--h-md) max-rail:min-h-11 px-[11px] text-sm leading-none",
  sm: "h-(--h-sm) max-rail:min-h-11 px-[9px] text-xs leading-none",
  icon: "size-(--h-md) text-sm leading-none max-rail:size-11",
};

const looks: Record<ButtonVariant | "disabled", string> = {
  default: "border-line-strong bg-surface text-ink shadow-1 hover:bg-hover",
  primary: "border-ink bg-ink text-on-ink shadow-1 hover:bg-ink-2",
  brass: "border-brass-edge bg-brass-fill text-on-brass shadow-1 hover:bg-brass-hover",
  ghost: "border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink",
  danger: "border-line-strong bg-surface text-err shadow-1 hover:bg-hover",
  confirm: "border-err-fill bg-err-fill text-on-err shadow-1",
  disabled: "border-dashed border-control bg-transparent text-ink-3 cursor-default",
};

const keyTones: Record<ButtonVariant | "disabled", KbdTone> = {
  default: "page",
  primary: "fill",
  brass: "fill",
  ghost: "bare",
  danger: "page",
  confirm: "fill",
  disabled: "bare",
};
