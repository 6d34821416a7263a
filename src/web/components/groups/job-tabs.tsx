"use client";

import { useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";

export type JobTab<Part extends string> = { part: Part; label: string; aside?: ReactNode };

type JobTabsProps<Part extends string> = {
  tabs: readonly JobTab<Part>[];
  part: Part;
  onChoose: (part: Part) => void;
  children: ReactNode;
};

/** The parts of a job, one at a time. Arrows move between the tabs, as everywhere. */
export function JobTabs<Part extends string>({ tabs, part, onChoose, children }: JobTabsProps<Part>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.part === part);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    onChoose(tab.part);
    list.current?.querySelector<HTMLElement>(`#${tabId(tab.part)}`)?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label="Parts of the job"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="mb-4 flex gap-0.5 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <button
            key={tab.part}
            id={tabId(tab.part)}
            type="button"
            role="tab"
            aria-selected={tab.part === part}
            aria-controls={panelId}
            tabIndex={tab.part === part ? 0 : -1}
            onClick={() => onChoose(tab.part)}
            className="relative flex flex-none items-center gap-1.5 px-2.5 pt-[7px] pb-2 whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 aria-selected:font-medium aria-selected:text-ink aria-selected:after:absolute aria-selected:after:inset-x-2.5 aria-selected:after:bottom-0 aria-selected:after:h-0.5 aria-selected:after:bg-ink max-rail:min-h-11"
          >
            {tab.label}
            {tab.aside === undefined ? null : <span className="text-xs font-normal text-ink-3 tabular-nums">{tab.aside}</span>}
          </button>
        ))}
      </div>
      <div id={panelId} role="tabpanel" tabIndex={-1} aria-labelledby={tabId(part)} className="min-w-0 outline-0">
        {children}
      </div>
    </>
  );
}

const tabId = (part: string): string => `job-tab-${part}`;
const panelId = "job-part";
