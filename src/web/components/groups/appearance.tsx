"use client";

import { useState } from "react";
import { saveSingleKeys, saveTheme } from "../../live/save-preference.ts";
import type { Preferences, Theme } from "../../preferences.ts";
import { Segment } from "../elements/segment.tsx";
import { Switch } from "../elements/switch.tsx";

const themes: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Choices of this browser. They take effect as they are made. */
export function Appearance({ preferences }: { preferences: Preferences }) {
  const [theme, setTheme] = useState(preferences.theme);
  const choose = (wanted: Theme) => {
    saveTheme(wanted);
    setTheme(wanted);
  };
  return (
    <div className="grid justify-items-start gap-3">
      <Segment label="Theme" options={themes} value={theme} onChange={choose} />
      <Switch defaultChecked={preferences.singleKeys} onChange={(event) => saveSingleKeys(event.target.checked)}>
        Single-letter keys
        <span className="block text-xs text-ink-3">N for a new session, G then H for the hall, and so on. Press ? to see all keys.</span>
      </Switch>
    </div>
  );
}
