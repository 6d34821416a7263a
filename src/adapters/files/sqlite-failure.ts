/** SQLite's own numbers for what can go wrong, as far as anybody here asks for them. */
export const sqlite = { busy: 5, corrupt: 11, full: 13, noDatabase: 26 } as const;

/** SQLite's number for what went wrong; undefined for what is no error of SQLite. */
export function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** What is in the file is nothing that SQLite wrote, or no longer. */
export function isNoDatabase(error: unknown): boolean {
  const code = resultCode(error);
  return code === sqlite.corrupt || code === sqlite.noDatabase;
}
