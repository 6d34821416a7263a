import { createHash, randomUUID } from "node:crypto";

/** A value that only the processes of one child have. */
export const newMark = (owner: string): string => `${owner}:${randomUUID()}`;

/**
 * The variables that hold the mark. With it, the hall finds the processes of a child. A member that listens also checks it in
 * requests, because other users of the machine cannot read it.
 */
export const markNames = { agent: "GUILD_HALL_AGENT", member: "GUILD_HALL_MEMBER" } as const;

/** The marks in a text of `/proc/<pid>/environ`. */
export const marksIn = (environment: string): string[] =>
  environment.split("\0").flatMap((each) => /^GUILD_HALL_(?:AGENT|MEMBER)=(.*)$/s.exec(each)?.[1] ?? []);

/**
 * A second mark, for processes that clear their environment. Linux lets a process say how many file locks it may hold, has
 * not heeded the number since 2.4.25, and hands it on to every child, whatever session, parent or environment that one has.
 */
export const lockLimitOf = (mark: string): string => String(createHash("sha256").update(mark).digest().readUIntBE(0, 6));

/** The limit in a text of `/proc/<pid>/limits`. Null if the text has no such line. */
export const lockLimitIn = (limits: string): string | null => /^Max file locks +(\d+) /m.exec(limits)?.[1] ?? null;

/** The same program, started with the limit of its mark by a shell that it then replaces, so that it keeps pid and pipes. */
export const withLockLimit = (program: string, args: readonly string[], mark: string): string[] => [
  "/bin/sh",
  "-c",
  setLimit,
  lockLimitOf(mark),
  String(process.pid),
  program,
  ...args,
];

/**
 * Shells call the limit by different letters. What they add to the environment is not for the program. A shell with another
 * parent than the hall does not start it: the hall died before the kernel knew that the two belong together.
 */
const setLimit =
  '[ "$PPID" = "$1" ] || exit 1; shift; { ulimit -w "$0" || ulimit -x "$0"; } 2>/dev/null; unset PWD OLDPWD SHLVL; exec "$@"';
