import type { ExitCode } from "../schema/exit-code.ts";

/** What whoever started a command gives it, and what it gives back: `process`, or what a test puts in its place. */
export type Shell = {
  env: NodeJS.ProcessEnv;
  /** Where files are that are named without a path. */
  cwd(): string;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  /** How a command ends that comes to its end. */
  exitCode?: number | string | null | undefined;
  exit(code: ExitCode): void;
  /** Signals, and errors that nobody caught. */
  on(event: string, listener: (error: Error) => void): unknown;
  off(event: string, listener: () => void): unknown;
  /** To the launcher, where one started this process. */
  channel?: { unref(): void } | null | undefined;
};
