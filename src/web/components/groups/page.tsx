import type { ReactNode } from "react";

/** The part of the screen that changes from page to page. It scrolls, the frame around it does not. */
export const Page = ({ children }: { children: ReactNode }) => (
  <main
    id="main"
    tabIndex={-1}
    className="min-w-0 overflow-auto px-8 pt-6 pb-8 outline-0 [grid-area:main] max-rail:px-4 max-rail:pt-4 max-rail:pb-6"
  >
    <div className="mx-auto max-w-(--page-max)">{children}</div>
  </main>
);
