"use client";

import { RotateCcw } from "lucide-react";
import type { Session } from "../../../schema/session.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { Button } from "../elements/button.tsx";
import type { ButtonSize, ButtonVariant } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useShell } from "./shell-context.ts";

type RenewButtonProps = { session: Session; size?: ButtonSize; variant?: ButtonVariant };

/** Begins a new conversation with the model on what is here. */
export function RenewButton({ session, size = "md", variant = "default" }: RenewButtonProps) {
  const { renew, isBusy } = useSessionChanges(session.id);
  const { say } = useShell();
  return (
    <Button
      size={size}
      variant={variant}
      icon={<Icon of={RotateCcw} className="size-[15px]" />}
      title="The model begins anew, with this history and the context file to go by"
      busy={isBusy}
      onClick={() => void renew().then((isDone) => isDone || say("The session could not be renewed. Try again in a moment.", "failed"))}
    >
      Renew
    </Button>
  );
}
