import type { ReactNode } from "react";
import { FreshPages } from "../../live/fresh-pages.tsx";

/** Pages that are drawn again when the hall changes. One that is not found is not: reading it again would load it again, without end. */
export default function LiveLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <FreshPages />
      {children}
    </>
  );
}
