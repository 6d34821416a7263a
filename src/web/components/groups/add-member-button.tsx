"use client";

import { Plus } from "lucide-react";
import { Button } from "../elements/button.tsx";
import type { ButtonProps } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useShell } from "./shell-context.ts";

export function AddMemberButton(look: Pick<ButtonProps, "variant" | "size" | "className">) {
  const { open } = useShell();
  return (
    <Button
      {...look}
      icon={<Icon of={Plus} className="size-[15px]" />}
      aria-haspopup="dialog"
      onClick={() => open({ layer: "add-member" })}
    >
      Add member
    </Button>
  );
}
