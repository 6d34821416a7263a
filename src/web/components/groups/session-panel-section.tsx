import type { ReactNode } from "react";
import { headingId } from "../../live/use-side-panel.ts";
import type { SidePart } from "../../live/use-side-panel.ts";

type SectionProps = {
  part: Exclude<SidePart, "talk">;
  title: string;
  /** Stands quietly beside the title. */
  aside?: ReactNode;
  /** What can be done here, at the end of the line. */
  action?: ReactNode;
  /** The part that is looked at where there is room for one. */
  shown: SidePart;
  children: ReactNode;
};

/** One part of what is beside a session. */
export const SessionPanelSection = ({ part, title, aside, action, shown, children }: SectionProps) => (
  <section aria-labelledby={headingId(part)} className={`${sectionClass} ${shown === part ? "" : hiddenInColumn}`}>
    <div className={sectionHeadClass}>
      <h2 id={headingId(part)} tabIndex={-1} className="outline-0 focus-visible:outline-2">
        {title}
      </h2>
      {aside === undefined ? null : <span className="min-w-0 truncate text-xs text-ink-3 tabular-nums">{aside}</span>}
      {action === undefined ? null : <span className="ml-auto flex flex-none items-center">{action}</span>}
    </div>
    {children}
  </section>
);

/** A dialog that was opened from here stays in sight when the window becomes narrow. */
export const hiddenInColumn = "max-column:not-has-[dialog[open]]:hidden";
export const sectionClass = "min-w-0 border-line px-4 pt-3 pb-3.5 not-first:border-t max-column:border-t-0!";
export const sectionHeadClass = "mb-2 flex min-h-[26px] items-center gap-2";
