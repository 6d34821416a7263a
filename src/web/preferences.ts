/** What a reader chose, kept in cookies so that the server can draw the first page right. */
export type Theme = "system" | "light" | "dark";
export type Preferences = { theme: Theme; singleKeys: boolean };

export const preferenceCookies = { theme: "guild-hall-theme", singleKeys: "guild-hall-single-keys" } as const;

export function preferencesFrom(cookie: (name: string) => string | undefined): Preferences {
  const theme = cookie(preferenceCookies.theme);
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    singleKeys: cookie(preferenceCookies.singleKeys) !== "off",
  };
}

/** What the root element carries; styles and hotkeys read it there. */
export const rootAttributes = ({ theme, singleKeys }: Preferences) => ({
  "data-theme": theme === "system" ? undefined : theme,
  "data-single-keys": singleKeys ? undefined : "off",
});
