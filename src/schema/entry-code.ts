import { z } from "zod";

/** A code that opens one browser for the person, once. */
export const EntryCode = z.object({ code: z.string(), expiresAt: z.iso.datetime() });
export type EntryCode = z.infer<typeof EntryCode>;

/** The address that exchanges a code for a cookie. */
export const entryAddress = (hallUrl: string, { code }: Pick<EntryCode, "code">): string => `${hallUrl}${entryPath}?code=${code}`;

export const entryPath = "/open";
