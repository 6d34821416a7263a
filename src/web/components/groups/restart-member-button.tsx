"use client";

import { RotateCcw } from "lucide-react";
import { sentenceOf } from "../../format/sentence-of.ts";
import type { MemberGlance } from "../../live/member-glance.ts";
import { restartMember } from "../../live/start-member.ts";
import { useBusy } from "../../live/use-busy.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useClosedBecause } from "./person-note.tsx";
import { useShell } from "./shell-context.ts";

/** How it went is told by the member's own status, which follows. */
export function RestartMemberButton({ member }: { member: Pick<MemberGlance, "name" | "displayName"> }) {
  const { say } = useShell();
  const [isBusy, begin] = useBusy();
  const closedBecause = useClosedBecause();
  const restart = () =>
    begin(async () => {
      try {
        await restartMember(member.name);
      } catch (failure) {
        say(sentenceOf(failure, "act"), "failed");
      }
    });
  return (
    <Button
      size="sm"
      icon={<Icon of={RotateCcw} className="size-[15px]" />}
      busy={isBusy}
      disabledBecause={closedBecause}
      aria-label={`Restart ${member.displayName}`}
      onClick={restart}
    >
      Restart
    </Button>
  );
}
