"use client";

import { Bell, BellOff } from "lucide-react";
import { useRunNotifications } from "../../live/run-notifications.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";

/** Has the browser tell when a run ends while nobody looks at its tab. `of` is what it tells of here, besides. */
export function NotifySwitch({ of = "a run ends" }: { of?: string }) {
  const { state, turn } = useRunNotifications();
  if (state === "no") return null;
  const isOn = state === "on";
  return (
    <Button
      size="icon"
      className="max-rail:flex-none!"
      aria-label={`Tell me when ${of}`}
      aria-pressed={isOn}
      title={isOn ? `The browser tells you when ${of} in a tab you do not look at` : `Have the browser tell you when ${of}`}
      icon={<Icon of={isOn ? Bell : BellOff} />}
      disabledBecause={state === "refused" ? "The browser does not allow notifications of this address. Its settings do." : undefined}
      onClick={() => void turn(!isOn)}
    />
  );
}
