"use client";

import { useIsPerson } from "../../live/person-provider.tsx";

const way = "run `guild-hall open` on the hall’s machine and open the address it prints.";

/** Why a button that needs the person's key is closed in this browser; undefined where it is open. */
export const useClosedBecause = (): string | undefined => (useIsPerson() ? undefined : `To do this here, ${way}`);

/** The same sentence, to be read beside the buttons. Nothing is shown to the person. */
export function PersonNote({ to = "change this here", className = "" }: { to?: string; className?: string }) {
  if (useIsPerson()) return null;
  return (
    <p className={`text-xs text-ink-2 ${className}`}>
      To {to}, run <code>guild-hall open</code> on the hall’s machine and open the address it prints.
    </p>
  );
}
