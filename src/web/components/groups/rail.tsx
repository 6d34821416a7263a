import { House, Plug, ScrollText, Settings } from "lucide-react";
import Link from "next/link";
import type { Session } from "../../../schema/session.ts";
import { Glyph } from "../elements/glyph.tsx";
import type { GlyphName } from "../elements/glyph.tsx";
import { Icon } from "../elements/icon.tsx";
import { Mark } from "../elements/mark.tsx";
import { JobNavCount } from "./job-nav-count.tsx";
import { NavLink } from "./nav-link.tsx";
import { sessionStatus } from "./session-status.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

/** Navigation of wide screens: pages, the sessions last worked in, settings. Narrower ones show its icons only. */
export function Rail({ sessions }: { sessions: readonly Session[] }) {
  return (
    <nav
      aria-label="Main"
      className="flex flex-col gap-px overflow-x-hidden overflow-y-auto border-r border-line bg-rail px-2 pb-2 [--glyph:var(--rail)] [grid-area:rail] max-rail:hidden"
    >
      <Link
        href="/"
        prefetch={false}
        className={`${item} mb-1 h-(--top-h) font-display text-panel leading-none font-medium text-ink`}
        title="Guild Hall"
      >
        <Mark />
        <span className={label}>Guild Hall</span>
      </Link>
      <NavLink href="/" title="Hall" className={link}>
        <Icon of={House} />
        <span className={label}>Hall</span>
      </NavLink>
      <hr className="mx-2 my-2 border-line" />
      <NavLink href="/jobs" within="/jobs" title="Jobs" className={link}>
        <Icon of={ScrollText} />
        <span className={label}>Jobs</span>
        <JobNavCount className="ml-auto max-wide:absolute max-wide:-top-0.5 max-wide:-right-0.5" />
      </NavLink>
      <NavLink href="/roster" within="/roster" title="Roster" className={link}>
        <Icon of={Plug} />
        <span className={label}>Roster</span>
      </NavLink>
      {sessions.length === 0 ? null : (
        <>
          <h2 className="mx-2 mt-4 mb-1 font-ui text-xs font-normal tracking-normal text-ink-3 max-wide:sr-only">Workshops</h2>
          {sessions.map((session) => (
            <NavLink key={session.id} href={`/sessions/${session.id}`} title={session.name} className={link}>
              <Glyph of={sessionStatus(session).status} className={`size-4 ${glyphTones[sessionStatus(session).status] ?? ""}`} />
              <span className={label}>{session.name}</span>
            </NavLink>
          ))}
        </>
      )}
      <div className="mt-auto flex items-center pt-2 max-wide:flex-col">
        <NavLink href="/settings" title="Settings" className={`${link} flex-1 max-wide:w-full max-wide:flex-none`}>
          <Icon of={Settings} />
          <span className={label}>Settings</span>
        </NavLink>
        <ThemeSwitch />
      </div>
    </nav>
  );
}

/** At rest a glyph has the colour of the words beside it. */
const glyphTones: Partial<Record<GlyphName, string>> = { running: "text-run", waiting: "text-brass" };

const item = "relative flex min-h-[30px] items-center gap-2.5 rounded-2 px-2 max-wide:h-9 max-wide:justify-center max-wide:px-0";
const label = "min-w-0 overflow-hidden text-ellipsis whitespace-nowrap max-wide:sr-only";
const link = `${item} text-ink-2 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-ink aria-[current]:before:absolute aria-[current]:before:inset-y-1.5 aria-[current]:before:-left-2 aria-[current]:before:w-[3px] aria-[current]:before:rounded-r-[2px] aria-[current]:before:bg-brass-fill`;
