import { createContext, use } from "react";
import type { MemberHandle } from "../../live/use-member.ts";

export const MemberContext = createContext<MemberHandle | null>(null);

/** The member whose page this is. */
export function useMemberHandle(): MemberHandle {
  const handle = use(MemberContext);
  if (handle === null) throw new Error("useMemberHandle needs a MemberScreen above it.");
  return handle;
}
