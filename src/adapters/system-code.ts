/** `ENOENT` and the like; undefined for an error that does not come from the operating system. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
