"use client";

import { Bell, BellOff } from "lucide-react";
import { useRunNotifications } from "../../live/run-notifications.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";

/** Has the browser tell when a run ends while nobody looks at its tab. */
export function NotifySwitch() {
  const { state, turn } = useRunNotifications();
  if (state === "no") return null;
  const isOn = state === "on";
  return (
    <Button
      size="icon"
      aria-label="Tell me when a run ends"
      aria-pressed={isOn}
      title={isOn ? "The browser tells you when a run ends in a tab you do not look at" : "Have the browser tell you when a run ends"}
      icon={<Icon of={isOn ? Bell : BellOff} />}
      disabledBecause={state === "refused" ? "The browser does not allow notifications of this address. Its settings do." : undefined}
      onClick={() => void turn(!isOn)}
    />
  );
}
