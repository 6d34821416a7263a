"use client";

import { Plus } from "lucide-react";
import { Button } from "../elements/button.tsx";
import type { ButtonVariant } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useShell } from "./shell-context.ts";

export function DispatchButton({ variant = "default" }: { variant?: ButtonVariant }) {
  const { open } = useShell();
  return (
    <Button
      variant={variant}
      icon={<Icon of={Plus} className="size-[15px]" />}
      hotkey="J"
      aria-haspopup="dialog"
      onClick={() => open({ layer: "new-job" })}
    >
      New job
    </Button>
  );
}
