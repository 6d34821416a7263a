"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** Copies a text. Says so in place; without a clipboard (an address that is not secure) it says what to do instead. */
export function CopyButton({ text }: { text: string }) {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  const copy = () => {
    void (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"))).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  };
  return (
    <Button size="sm" icon={<Icon of={state === "copied" ? Check : Copy} className="size-[15px]" />} onClick={copy} aria-live="polite">
      {words[state]}
    </Button>
  );
}

const words = { ready: "Copy", copied: "Copied", refused: "Select it and copy" };
