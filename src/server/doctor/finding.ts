import type { Check } from "../../schema/check.ts";

/** What one look at the machine found; the doctor adds what was looked at. */
export type Finding = Pick<Check, "status" | "detail"> & { advice?: string };

export type RunningHall = { pid: number; url: string };
