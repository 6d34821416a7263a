export type InputIssue = { path: string; message: string };

/** For now nothing is found wrong. */
export const createInputChecker =
  () =>
  (_schema: Readonly<Record<string, unknown>>, _input: unknown): InputIssue[] => [];
