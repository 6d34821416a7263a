"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** A text that is long to make is made when it is wanted. */
type CopyButtonProps = {
  text: string | (() => string);
  children?: string;
  /** Where there is room for no words, they are its name. */
  isBare?: boolean;
};

/** Copies a text. Says so in place; without a clipboard (an address that is not secure) it says what to do instead. */
export function CopyButton({ text, children = "Copy", isBare = false }: CopyButtonProps) {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  const copy = () => {
    const copied = typeof text === "string" ? text : text();
    void (navigator.clipboard?.writeText(copied) ?? Promise.reject(new Error("no clipboard"))).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  };
  const icon = <Icon of={state === "copied" ? Check : Copy} className="size-[15px]" />;
  if (isBare) {
    const name = state === "ready" ? children : words[state];
    return <Button size="icon" className="size-6" aria-label={name} title={name} icon={icon} onClick={copy} aria-live="polite" />;
  }
  return (
    <Button size="sm" icon={icon} onClick={copy} aria-live="polite">
      {state === "ready" ? children : words[state]}
    </Button>
  );
}

const words = { copied: "Copied", refused: "Select it and copy" };
