"use client";

import { Plus } from "lucide-react";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useShell } from "./shell-context.ts";

export function NewSessionButton() {
  const { open } = useShell();
  return (
    <Button
      variant="primary"
      icon={<Icon of={Plus} className="size-[15px]" />}
      hotkey="N"
      aria-haspopup="dialog"
      onClick={() => open({ layer: "new-session", name: "" })}
    >
      New session
    </Button>
  );
}
