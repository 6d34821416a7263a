"use client";

import { RotateCcw } from "lucide-react";
import type { Session } from "../../../schema/session.ts";
import { Button } from "../elements/button.tsx";
import type { ButtonSize, ButtonVariant } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useRenewal } from "./use-renewal.ts";

type RenewButtonProps = { session: Session; size?: ButtonSize; variant?: ButtonVariant };

export function RenewButton({ session, size = "md", variant = "default" }: RenewButtonProps) {
  const { renew, isBusy } = useRenewal(session.id);
  return (
    <Button
      size={size}
      variant={variant}
      icon={<Icon of={RotateCcw} className="size-[15px]" />}
      title="The model begins anew, with this history and the context file to go by"
      busy={isBusy}
      onClick={renew}
    >
      Renew
    </Button>
  );
}
