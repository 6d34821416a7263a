import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

/** A surface that holds one thing. Inside it, hairlines part what needs parting. */
export const Panel = ({ children, className, labelledBy }: { children: ReactNode; className?: string; labelledBy?: string }) => (
  <section aria-labelledby={labelledBy} className={classNames("rounded-3 border border-line bg-surface", className)}>
    {children}
  </section>
);
