"use client";

import { Plus } from "lucide-react";
import { Button } from "../elements/button.tsx";
import type { ButtonProps } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useClosedBecause } from "./person-note.tsx";
import { useShell } from "./shell-context.ts";

export function AddMemberButton(look: Pick<ButtonProps, "variant" | "size" | "className">) {
  const { open } = useShell();
  const closedBecause = useClosedBecause();
  return (
    <Button
      {...look}
      icon={<Icon of={Plus} className="size-[15px]" />}
      disabledBecause={closedBecause}
      aria-haspopup="dialog"
      onClick={() => open({ layer: "add-member" })}
    >
      Add member
    </Button>
  );
}
