"use client";

import { Search } from "lucide-react";
import { Icon } from "../elements/icon.tsx";
import { Kbd } from "../elements/kbd.tsx";
import { useShell } from "./shell-context.ts";

export function PaletteField() {
  const { open } = useShell();
  return (
    <button
      type="button"
      aria-label="Search or run a command"
      aria-haspopup="dialog"
      onClick={() => open({ layer: "palette" })}
      className="flex h-(--h-md) w-72 items-center gap-2 rounded-2 border border-line-strong bg-surface pr-[5px] pl-[9px] text-ink-3 max-column:w-48 max-rail:size-11 max-rail:flex-none max-rail:justify-center max-rail:border-0 max-rail:bg-transparent max-rail:p-0 max-rail:text-ink-2"
    >
      <Icon of={Search} className="size-[15px] max-rail:size-[18px]" />
      <span className="overflow-hidden text-ellipsis whitespace-nowrap max-rail:hidden">Search or run a command</span>
      <Kbd className="ml-auto max-column:hidden">Ctrl K</Kbd>
    </button>
  );
}
