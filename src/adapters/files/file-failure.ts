import { HallError } from "../../schema/hall-error.ts";
import { systemCode } from "../system-code.ts";

/** The `HallError` for a failed file operation, or the error itself where it is not one a person can do something about. */
export function fileFailure(error: unknown, path: string): unknown {
  if (error instanceof HallError) return error;
  const failure = failures[systemCode(error) ?? ""];
  return failure === undefined
    ? error
    : new HallError(failure.code, failure.say(path), { cause: error, details: { path, isPassing: failure.isPassing } });
}

/** Whoever may open no more files, or has a bug, cannot say anything about the file at hand. */
export const isAboutThisProcess = (error: unknown): boolean => ["EMFILE", "ENFILE", undefined].includes(systemCode(error));

/** A passing failure can end without a change to the files of the home, so the same write is worth another try. */
type Failure = { code: "disk_full" | "home_unusable"; isPassing: boolean; say: (path: string) => string };

const full = (what: string): Failure => ({
  code: "disk_full",
  isPassing: true,
  say: (path) => `${path} was not written, because ${what}. What was there before is unchanged. Free some space and try again.`,
});

const unusable = (why: string, advice: string): Failure => ({
  code: "home_unusable",
  isPassing: false,
  say: (path) => `${path} cannot be used: ${why}. ${advice}`,
});

const passing = (failure: Failure): Failure => ({ ...failure, isPassing: true });

const notAllowed = passing(unusable("this user is not allowed to", "Give the user who runs the hall read and write access to it."));

const failures: Readonly<Record<string, Failure>> = {
  ENOSPC: full("the disk is full"),
  EDQUOT: full("the disk quota is used up"),
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: passing(
    unusable("it is on a read-only file system", "Make it writable, or choose another home folder with GUILD_HALL_HOME or --home."),
  ),
  ENOTDIR: unusable("something on the way to it is a file and not a folder", "Move that file away or choose another home folder."),
  EEXIST: unusable("a file stands where a folder belongs", "Move that file away or choose another home folder."),
  EISDIR: unusable("a folder stands where a file belongs", "Move that folder away."),
  ENOENT: unusable("its folder is gone", "Put the folder back or restart the hall, which makes what is missing."),
  ELOOP: unusable("its symbolic links lead in a circle", "Remove the link or choose another home folder."),
  ENAMETOOLONG: unusable("its name is too long for this disk", "Choose a home folder with a shorter path."),
  EIO: passing(unusable("the disk reports an input/output error", "Check the disk.")),
  EMFILE: passing(unusable("too many files are open", "Raise the limit of open files (ulimit -n) and restart the hall.")),
};
