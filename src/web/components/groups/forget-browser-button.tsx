"use client";

import { LogOut } from "lucide-react";
import { sentenceOf } from "../../format/sentence-of.ts";
import { forgetBrowser } from "../../live/forget-browser.ts";
import { useIsPerson } from "../../live/person-provider.tsx";
import { useBusy } from "../../live/use-busy.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useShell } from "./shell-context.ts";

/** Ends what the printed address opened: this browser no longer decides for the person. */
export function ForgetBrowserButton() {
  const { say } = useShell();
  const [isBusy, begin] = useBusy();
  if (!useIsPerson()) return null;
  const forget = () =>
    begin(async () => {
      try {
        await forgetBrowser();
        // A hall with a token has no page for this browser any more.
        location.reload();
      } catch (failure) {
        say(sentenceOf(failure, "act"), "failed");
      }
    });
  return (
    <div className="grid justify-items-start gap-1.5">
      <Button icon={<Icon of={LogOut} className="size-[15px]" />} busy={isBusy} onClick={forget}>
        Forget this browser
      </Button>
      <p className="text-xs text-ink-3">
        It can then no longer change members, limits and settings. <code>guild-hall open</code> prints an address that opens it again.
      </p>
    </div>
  );
}
