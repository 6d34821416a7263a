import type { Session } from "../../../schema/session.ts";

export type PaletteAction = { do: "go"; href: string } | { do: "new-session"; name: string } | { do: "switch-theme" } | { do: "show-keys" };

export type PaletteKind = "session" | "hall" | "settings" | "gallery" | "new" | "theme" | "keys";

export type PaletteItem = { id: string; kind: PaletteKind; label: string; aside?: string; hotkey?: string; action: PaletteAction };

export type PaletteGroup = { name: string; items: PaletteItem[] };

const pages: readonly PaletteItem[] = [
  { id: "hall", kind: "hall", label: "Hall", hotkey: "G H", action: { do: "go", href: "/" } },
  { id: "settings", kind: "settings", label: "Settings", hotkey: "G S", action: { do: "go", href: "/settings" } },
  { id: "gallery", kind: "gallery", label: "Components", aside: "every element in every state", action: { do: "go", href: "/gallery" } },
];

const commands: readonly PaletteItem[] = [
  { id: "theme", kind: "theme", label: "Switch between light and dark", action: { do: "switch-theme" } },
  { id: "keys", kind: "keys", label: "Show all keys", hotkey: "?", action: { do: "show-keys" } },
];

/** What the palette offers for a query. An empty one shows what was worked on last; ">" leaves only commands. */
export function paletteItems(query: string, sessions: readonly Session[]): PaletteGroup[] {
  const commandsOnly = query.startsWith(">");
  const wanted = query.replace(/^>/, "").trim();
  const matches = ({ label }: PaletteItem): boolean => label.toLowerCase().includes(wanted.toLowerCase());
  const places = commandsOnly ? [] : [...sessions.map(sessionItem), ...pages].filter(matches);
  const named: PaletteItem = {
    id: "new",
    kind: "new",
    label: wanted === "" ? "New session" : `New session named “${wanted}”`,
    hotkey: "N",
    action: { do: "new-session", name: wanted },
  };
  return [
    { name: "Go to", items: places },
    { name: "Do", items: [named, ...commands.filter(matches)] },
  ].filter(({ items }) => items.length > 0);
}

const sessionItem = ({ id, name, status }: Session): PaletteItem => ({
  id,
  kind: "session",
  label: name,
  aside: `Workshop, ${status}`,
  action: { do: "go", href: `/sessions/${id}` },
});
