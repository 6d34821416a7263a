/** What an entry of the palette is about; it has a sign for each. */
export type PaletteKind =
  | "session"
  | "hall"
  | "jobs"
  | "job"
  | "roster"
  | "member"
  | "tool"
  | "settings"
  | "gallery"
  | "new"
  | "theme"
  | "keys"
  | "write"
  | "rename"
  | "attach"
  | "export"
  | "panel"
  | "log"
  | "stop"
  | "pause"
  | "resume"
  | "renew"
  | "complete"
  | "delete";

/** What can be done on the page that is open, for the palette. */
export type PageCommand = {
  id: string;
  kind: PaletteKind;
  label: string;
  hotkey?: string;
  run: () => void;
  /** It stays in the list, and says why when it is chosen. */
  disabledBecause?: string | undefined;
};
