import { preferenceCookies } from "../preferences.ts";
import type { Theme } from "../preferences.ts";

/** Takes effect at once and stays: the root element for this page, a cookie for the next one. */
export function saveTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  keep(preferenceCookies.theme, theme);
}

export function saveSingleKeys(areOn: boolean): void {
  const root = document.documentElement;
  if (areOn) delete root.dataset["singleKeys"];
  else root.dataset["singleKeys"] = "off";
  keep(preferenceCookies.singleKeys, areOn ? "on" : "off");
}

/** Light if it is dark now, whoever chose that. */
export function switchTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  const isDark = chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  const theme = isDark ? "light" : "dark";
  saveTheme(theme);
  return theme;
}

function keep(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}
