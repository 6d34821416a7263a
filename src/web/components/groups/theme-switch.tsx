"use client";

import { SunMoon } from "lucide-react";
import { switchTheme } from "../../live/save-preference.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";

export const ThemeSwitch = () => (
  <Button
    size="icon"
    aria-label="Switch between light and dark"
    title="Switch between light and dark"
    icon={<Icon of={SunMoon} />}
    onClick={switchTheme}
  />
);
