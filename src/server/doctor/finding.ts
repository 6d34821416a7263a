import type { Check } from "../../schema/check.ts";

/** What one look at the machine found; the doctor adds what was looked at. */
export type Finding = Pick<Check, "status" | "detail"> & { advice?: string };

/** The hall that holds the home folder. It has no address while it starts. */
export type HomeHolder = { pid: number; address: string | null };
