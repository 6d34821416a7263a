import { HallError } from "../schema/hall-error.ts";

/** True for a write that failed and can succeed later as it is: the disk is full, read-only or failing, or access to it is missing. */
export const isPassing = (error: unknown): error is HallError =>
  error instanceof HallError && (error.code === "disk_full" || (error.code === "home_unusable" && error.details["isPassing"] === true));
