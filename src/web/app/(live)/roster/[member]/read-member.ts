import { notFound } from "next/navigation";
import { cache } from "react";
import type { Member } from "../../../../../schema/roster.ts";
import { HallError } from "../../../../../schema/hall-error.ts";
import { hall } from "../../../../hall.ts";

/** The member an address names. Frame, page and title ask for the same one: it is read once per request. */
export const readMember = cache(async (segment: string): Promise<Member> => {
  try {
    return await hall().roster.get(decodeURIComponent(segment));
  } catch (error) {
    if (error instanceof HallError && (error.code === "not_found" || error.code === "invalid_id")) notFound();
    throw error;
  }
});
